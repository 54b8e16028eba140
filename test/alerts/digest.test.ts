import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_OPTIONS } from '../../src/shared/alerts/channel.ts';
import type { RuleInput } from '../../src/shared/alerts/rule.ts';
import { FIELD_NAMES } from '../../src/shared/protocol/fields.ts';
import { START, TimedAlerts } from '../support/timed-alerts.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** START is 2026-09-21, 14:13 UTC, a Monday. */
const DIGEST = { weekday: null, time: '15:00', zone: 'UTC', channels: 'all' } as const;
const RULE: RuleInput = {
  ...{ id: null, kind: 'range', name: 'Lettuce', scope: { kind: 'all' }, field: 'ph', low: 5.5, high: 6.5 },
  ...{ margin: 0.1, forMinutes: 5, repeatMinutes: null, severity: 'warning', channels: 'all', isOn: true },
};

let node: TimedAlerts;
beforeEach(async () => {
  node = await TimedAlerts.start();
});
afterEach(() => node.dispose());

const turnOn = (digest: Parameters<typeof node.alerts.handlers.setAlertOptions>[0]['digest'] = DIGEST) =>
  node.alerts.handlers.setAlertOptions({ ...NO_OPTIONS, language: 'en', digest });
const summaries = () => node.titles.filter((title) => title.includes('summary'));
/** Waits until no summary is on its way, and the file says so. */
const settled = async () => {
  await node.alerts.save();
  const waiting = () => node.alerts.desk.kept.outbox.deliveries.filter(({ facts }) => facts.kind === 'digest');
  await expect.poll(waiting).toEqual([]);
  await node.alerts.save();
};
const passTo = async (at: number) => {
  await node.pass(at - node.wall);
  await settled();
};
const TODAY = START - (START % DAY);

describe('the summary message', () => {
  it('is sent once a day at its time, also in quiet hours', async () => {
    await turnOn();
    await node.alerts.handlers.setAlertOptions({
      ...{ ...NO_OPTIONS, language: 'en', digest: DIGEST },
      quietHours: { from: '14:30', to: '18:00' },
    });
    await node.receiveFor(10, { ph: 6 });
    await passTo(TODAY + 15 * HOUR - MINUTE);
    expect(summaries()).toEqual([]);
    await passTo(TODAY + 15 * HOUR);
    expect(summaries()).toHaveLength(1);
    await passTo(TODAY + 15 * HOUR + MINUTE);
    await passTo(TODAY + 20 * HOUR);
    expect(summaries()).toHaveLength(1);
    await passTo(TODAY + DAY + 15 * HOUR);
    expect(summaries()).toHaveLength(2);
  });

  it('is off by default, and is not sent for a time before it was turned on', async () => {
    await passTo(TODAY + DAY);
    await turnOn({ ...DIGEST, time: '13:00' });
    await passTo(TODAY + DAY + 12 * HOUR);
    expect(summaries()).toEqual([]);
    await passTo(TODAY + DAY + 13 * HOUR);
    expect(summaries()).toHaveLength(1);
  });

  it('is not sent for a time before it was turned on again', async () => {
    await turnOn();
    await passTo(TODAY + 15 * HOUR);
    await turnOn(null);
    await passTo(TODAY + 2 * DAY + 16 * HOUR);
    await turnOn();
    await passTo(TODAY + 2 * DAY + 17 * HOUR);
    expect(summaries()).toHaveLength(1);
    await passTo(TODAY + 3 * DAY + 15 * HOUR);
    expect(summaries()).toHaveLength(2);
  });

  it('is sent, too, if another option is changed just when it is due', async () => {
    await turnOn();
    node.wall = TODAY + 15 * HOUR;
    await node.alerts.handlers.setAlertOptions({ ...NO_OPTIONS, language: 'es', digest: { ...DIGEST } });
    await turnOn();
    await passTo(TODAY + 15 * HOUR + MINUTE);
    expect(summaries()).toHaveLength(1);
  });

  it('is sent once, however often the node is killed, and its file matches at any moment', async () => {
    await turnOn();
    const file = join(node.stores.folder, 'alerts.json');
    const before = readFileSync(file);
    await passTo(TODAY + 15 * HOUR);
    expect(summaries()).toHaveLength(1);
    const after = readFileSync(file);
    await node.alerts.stop();
    // Killed after it was sent: the file says so.
    writeFileSync(file, after);
    await node.start();
    await passTo(TODAY + 15 * HOUR + 5 * MINUTE);
    expect(summaries()).toHaveLength(1);
    await node.alerts.stop();
    // Killed before anything of it was written: it is made again.
    writeFileSync(file, before);
    await node.start();
    await passTo(TODAY + 15 * HOUR + 10 * MINUTE);
    expect(summaries()).toHaveLength(2);
  });

  it('is not sent again if the clock is set back, and is late if the node was off', async () => {
    await turnOn();
    await passTo(TODAY + 15 * HOUR + MINUTE);
    await node.pass(MINUTE, -30 * MINUTE);
    await passTo(TODAY + 15 * HOUR + 30 * MINUTE);
    expect(summaries()).toHaveLength(1);
    await node.alerts.stop();
    node.wall = TODAY + 3 * DAY + 20 * HOUR;
    await node.start();
    await passTo(node.wall + MINUTE);
    expect(summaries()).toHaveLength(2);
  });

  it('waits for an unreadable store, and is sent when it can be read', async () => {
    await turnOn();
    const { paths } = node.stores;
    const whole = paths.private;
    Object.assign(paths, { private: join(node.stores.folder, 'nowhere', 'none.db') });
    await node.pass(TODAY + 15 * HOUR - node.wall);
    Object.assign(paths, { private: whole });
    expect(summaries()).toEqual([]);
    await passTo(TODAY + 15 * HOUR + MINUTE);
    expect(summaries()).toHaveLength(1);
  });
});

describe('its content', () => {
  const preview = () => node.alerts.handlers.alertDigest(DIGEST);

  it('describes every device, with time in range, minimum and maximum, forecasts and tasks', async () => {
    await node.write(RULE);
    await turnOn();
    await node.receiveFor(60, { ph: 6 });
    await node.receiveFor(60, { ph: 6.9 });
    const task = {
      ...{ id: crypto.randomUUID(), device: node.device, title: 'Change <b>solution</b>', everyDays: 14 },
      ...{ due: '2026-09-19', snoozedUntil: null, done: null },
    };
    node.stores.write('private', [
      { kind: 'choose', name: 'tasks', value: JSON.stringify([task]), updatedAt: node.wall },
    ]);
    const { title, text, html } = await preview();
    expect(title).toBe('Daily summary: 1 of 1 needs you: Tank, pH 6.90.');
    expect(text.split('\n').slice(2)).toEqual([
      '1 task is due',
      '',
      'Tank: Needs you',
      expect.stringMatching(/^· pH above its range since (3:13\sPM|15:13)$/),
      '· pH: in range 49 %, from 6.00 to 6.90',
      '· 2 days late: Change <b>solution</b>',
    ]);
    expect(html).toContain('Change &lt;b&gt;solution&lt;/b&gt;');
  });

  it('names sealed values, and opens none', async () => {
    await node.write(RULE);
    await node.write({ ...RULE, field: 'vpd', low: 0.8, high: 1.5 });
    await turnOn();
    for (let count = 0; count < 3; count += 1) {
      node.seq += 1n;
      const sealed = FIELD_NAMES.map((field) => (['ph', 'tempAmbient'].includes(field) ? Buffer.alloc(32, 7) : 50));
      const reading = { seq: node.seq, timestamp: BigInt(node.wall), receivedAt: node.wall, fields: sealed };
      node.stores.append('private', node.device, [reading]);
      await node.pass(MINUTE);
    }
    expect((await preview()).text).toContain('· Sealed, so the node can’t read it: pH, VPD');
  });

  it('has derived values with a range, by the leaf of the device', async () => {
    const climate = { [node.device]: { leafOffset: -2 } };
    const choice = { kind: 'choose', name: 'climate', value: JSON.stringify(climate), updatedAt: node.wall } as const;
    node.stores.write('private', [choice]);
    await node.write({ ...RULE, field: 'vpd', low: 0.8, high: 1.5 });
    await node.write({ ...RULE, field: 'vpdLeaf', low: null, high: 2 });
    await turnOn();
    // Saturation at 25 °C is 3.167 kPa: 1.27 and 1.58 kPa; to a leaf of 23 °C 0.91 and 1.23. The step with the change is in range.
    await node.receiveFor(60, { tempAmbient: 25, humidity: 60 });
    await node.receiveFor(60, { tempAmbient: 25, humidity: 50 });
    const { text } = await preview();
    expect(text).toMatch(/· VPD: in range 52 %, from 1\.27 kPa to 1\.58 kPa/);
    expect(text).toMatch(/· Leaf VPD: in range 100 %, from 0\.91 kPa to 1\.23 kPa/);
  });

  it('says if there is no device', async () => {
    node.stores.write('private', [{ kind: 'forget', id: node.device, limit: 1000 }]);
    node.events.emit('forgotten', () => ({ store: 'private', deviceId: node.device }));
    await expect.poll(async () => (await preview()).title).toBe('Daily summary: No device is in use.');
  });

  it('has no values for a channel without values', async () => {
    const { channel } = (await node.alerts.handlers.alertChannels({})).channels[0]!;
    await node.alerts.handlers.writeAlertChannel({ channel: { ...channel, withoutValues: true }, secrets: {} });
    await node.write(RULE);
    await turnOn();
    await node.receiveFor(20, { ph: 6.9 });
    const { results } = await node.alerts.handlers.sendAlertDigest(DIGEST);
    expect(results).toMatchObject([{ failure: null }]);
    expect(node.titles.at(-1)).toBe('Daily summary: Something needs you.');
    expect(node.texts.at(-1)).toBe('Something needs you.\n\nTank: Needs you');
  });
});
