import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RANGE_RULE } from '../../../test/support/alerts.ts';
import { START, TimedAlerts } from '../../../test/support/timed-alerts.ts';
import type { Alert } from '../../shared/alerts/alert.ts';
import type { RuleInput } from '../../shared/alerts/rule.ts';
import { NO_NOTES } from '../../shared/owner-data/notes.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let node: TimedAlerts;
beforeEach(async () => {
  node = await TimedAlerts.start();
});
afterEach(() => node.dispose());

describe('silence', () => {
  it('is reported once, again as the rule repeats, not after it is acknowledged, and when it ends', async () => {
    const ids = new Set<string>();
    node.events.on('noticed', ({ id }) => ids.add(id));
    await node.write({ ...(await node.builtIn('silent')), repeatMinutes: 30 } as RuleInput);
    await node.receiveFor(5, { ph: 6 });
    await node.pass(MINUTE);
    expect(await node.kinds()).toEqual([]);
    await node.pass(2 * MINUTE);
    expect(await node.kinds()).toEqual(['silent firing']);
    await node.pass(29 * MINUTE);
    await expect.poll(() => node.shown.length, { timeout: 60_000 }).toBe(1);
    await node.pass(MINUTE);
    await expect.poll(() => node.shown.length, { timeout: 60_000 }).toBe(2);
    await node.pass(30 * MINUTE);
    await expect.poll(() => node.shown.length, { timeout: 60_000 }).toBe(3);
    // Of two messages with one id, a program shows only one.
    expect(ids.size).toBe(3);
    const id = (await node.live())[0]!.id;
    await node.alerts.handlers.acknowledgeAlert({ id });
    await node.pass(10 * HOUR);
    expect(await node.kinds()).toEqual(['silent acknowledged']);
    node.receive({ ph: 6 });
    expect(await node.live()).toEqual([]);
    await expect.poll(() => node.shown, { timeout: 60_000 }).toEqual([id, id, id, id]);
  });

  it('that is snoozed is reported again at its time, and not before', async () => {
    await node.receiveFor(5, { ph: 6 });
    await node.pass(HOUR);
    await expect.poll(() => node.shown.length, { timeout: 60_000 }).toBe(1);
    await node.alerts.handlers.snoozeAlert({ id: node.shown[0]!, until: node.wall + HOUR });
    await node.pass(HOUR - 1);
    expect(node.shown.length).toBe(1);
    expect(await node.kinds()).toEqual(['silent snoozed']);
    await node.pass(1);
    await expect.poll(() => node.shown.length, { timeout: 60_000 }).toBe(2);
    expect(await node.kinds()).toEqual(['silent firing']);
  });

  it('can’t be snoozed until a time in the past', async () => {
    await node.receiveFor(5, { ph: 6 });
    await node.pass(HOUR);
    await expect.poll(() => node.shown.length, { timeout: 60_000 }).toBe(1);
    const id = node.shown[0]!;
    for (const until of [0, node.wall - HOUR, node.wall]) {
      await expect((async () => node.alerts.handlers.snoozeAlert({ id, until }))()).rejects.toMatchObject({
        code: 'invalid_input',
        message: 'until: is not ahead of now',
      });
    }
    expect(await node.kinds()).toEqual(['silent firing']);
  });

  it('does not count time when the clock was set, the computer slept, or the node did not run', async () => {
    await node.receiveFor(5, { ph: 6 });
    await node.pass(1000, 30 * HOUR);
    expect(await node.kinds()).toEqual([]);
    await node.pass(1000, -60 * HOUR);
    expect(await node.kinds()).toEqual([]);
    node.receive({ ph: 6 });
    await node.alerts.stop();
    node.wall += 30 * HOUR;
    await node.start();
    await node.pass(MINUTE);
    expect(await node.kinds()).toEqual([]);
    await node.pass(3 * MINUTE);
    expect(await node.kinds()).toEqual(['silent firing']);
  });

  it('is judged by the device’s own time before that of the rule, and of an inactive device not at all', async () => {
    await node.write({ ...(await node.builtIn('silent')), threshold: 60 } as RuleInput);
    const note = async (notes: Partial<typeof NO_NOTES>) => {
      node.stores.write('private', [
        { kind: 'note', id: node.device, notes: { ...NO_NOTES, ...notes }, updatedAt: node.wall },
      ]);
      await node.alerts.stop();
      await node.start();
    };
    node.receive({ ph: 6 });
    await note({ silentAfterMs: 5 * MINUTE });
    await node.pass(6 * MINUTE);
    expect(await node.live()).toMatchObject([{ kind: 'silent', limit: 5 }]);
    await note({ silentAfterMs: 5 * MINUTE, status: 1 });
    await node.pass(6 * MINUTE);
    expect(await node.live()).toEqual([]);
  });

  it('has lasted since the last reading, also if the clock was set back after that', async () => {
    await node.write({ ...(await node.builtIn('silent')), threshold: 5 } as RuleInput);
    node.receive({ ph: 6 });
    await node.pass(6 * MINUTE, -10 * HOUR);
    expect((await node.live()).map(({ since }) => since)).toEqual([node.wall - 6 * MINUTE]);
  });

  it('has lasted since the last reading by the corrected clock', async () => {
    await node.write({ ...(await node.builtIn('silent')), threshold: 5 } as RuleInput);
    node.receive({ ph: 6 });
    const to = node.wall;
    node.wall += 10 * HOUR;
    node.events.emit('clockMoved', () => ({ by: 10 * HOUR, from: to - HOUR, to }));
    await node.pass(6 * MINUTE);
    expect((await node.live()).map(({ since }) => since)).toEqual([node.wall - 6 * MINUTE]);
  });

  it('that is reported has its times by the corrected clock', async () => {
    await node.receiveFor(5, { ph: 6 });
    await node.pass(HOUR);
    const [before] = await node.live();
    const to = node.wall;
    const by = 10 * HOUR;
    node.wall += by;
    node.events.emit('clockMoved', () => ({ by, from: to - 2 * HOUR, to }));
    const { since, firedAt } = before!;
    expect(await node.live()).toMatchObject([{ state: 'firing', since: since + by, firedAt: firedAt! + by }]);
  });

  it('is on the disk before it is told', async () => {
    const kept: boolean[] = [];
    node.events.on('noticed', ({ alert }) => {
      kept.push(readFileSync(join(node.stores.folder, 'alerts.json'), 'utf8').includes(alert!));
    });
    await node.receiveFor(5, { ph: 6 });
    await node.pass(HOUR);
    await expect.poll(() => kept.length, { timeout: 60_000 }).toBe(1);
    expect(kept).toEqual([true]);
  });

  it('of a whole device is not reported for each of its fields', async () => {
    await node.write({ ...(await node.builtIn('fieldSilent')), threshold: 1 } as RuleInput);
    node.receive({ ph: 6, ec: 700 });
    await node.pass(2 * HOUR);
    expect(await node.kinds()).toEqual(['silent firing']);
  });

  it('after a start is reported after two minutes, or sooner if the rule’s time is shorter', async () => {
    await node.write({ ...(await node.builtIn('silent')), threshold: 1 } as RuleInput);
    node.receive({ ph: 6 });
    await node.alerts.stop();
    await node.start();
    await node.pass(59_000);
    expect(await node.kinds()).toEqual([]);
    await node.pass(2000);
    expect(await node.kinds()).toEqual(['silent firing']);
  });

  it('longer than the node was off counts only the time in which it ran', async () => {
    await node.write({ ...(await node.builtIn('silent')), threshold: 60 } as RuleInput);
    node.receive({ ph: 6 });
    await node.pass(20 * MINUTE);
    await node.alerts.stop();
    node.wall += 30 * HOUR;
    await node.start();
    await node.pass(39 * MINUTE);
    expect(await node.kinds()).toEqual([]);
    await node.pass(2 * MINUTE);
    expect(await node.kinds()).toEqual(['silent firing']);
  });

  it.each([
    ['and counts the time in which the node was off', 20 * MINUTE, 10 * MINUTE],
    ['and not later if the clock was set back', -240 * HOUR, 30 * MINUTE],
  ])('is reported again after a restart, %s', async (_name, off, wait) => {
    await node.write({ ...(await node.builtIn('silent')), repeatMinutes: 30 } as RuleInput);
    await node.receiveFor(5, { ph: 6 });
    await node.pass(HOUR);
    await expect.poll(() => node.shown.length, { timeout: 60_000 }).toBe(1);
    await node.alerts.stop();
    node.wall += off;
    await node.start();
    await node.pass(wait - MINUTE);
    expect(node.shown).toHaveLength(1);
    await node.pass(MINUTE);
    await expect.poll(() => node.shown.length, { timeout: 60_000 }).toBe(2);
  });

  it('of one field is reported while others continue; a manual pH entry ignores repeated values beside it', async () => {
    await node.write({ ...(await node.builtIn('fieldSilent')), threshold: 2 } as RuleInput);
    await node.write({ ...(await node.builtIn('silent')), isOn: false } as RuleInput);
    node.receive({ ec: 700, tempWater: 20 });
    await node.pass(HOUR);
    node.receive({ ec: 700, tempWater: 20, ph: 6 });
    await node.pass(HOUR + MINUTE);
    // Both values were last measured two hours ago, so the device counts as silent.
    expect(await node.kinds()).toEqual(['fieldSilent firing', 'fieldSilent firing']);
    node.receive({ ec: 701 });
    expect((await node.live()).map(({ field }) => field)).toEqual(['tempWater']);
    node.receive({ tempWater: 20 });
    expect(await node.live()).toEqual([]);
  });
});

describe('a message about one of several devices of one name', () => {
  it('has the last four digits of its id', async () => {
    node.stores.register({ name: 'Tank' }, ['private']);
    await node.alerts.stop();
    await node.start();
    await node.write(RANGE_RULE);
    node.receive({ ph: 5 });
    await node.pass(MINUTE);
    await expect.poll(() => node.titles.length, { timeout: 60_000 }).toBeGreaterThan(0);
    expect(node.titles[0]).toBe(`Tank (${node.device.slice(-4)}): pH below its range`);
  });
});

describe('a message that waited for quiet hours to end', () => {
  it.each(['acknowledgeAlert', 'snoozeAlert'] as const)('is not sent after %s', async (method) => {
    const { handlers } = node.alerts;
    const waiting = async () => (await handlers.alertChannels({})).channels[0]!.waiting;
    const clockAt = (at: number) => new Date(at).toTimeString().slice(0, 5);
    const quietHours = { from: clockAt(START - HOUR), to: clockAt(START + HOUR) };
    await handlers.setAlertOptions({ ...(await handlers.alertOptions({})), quietHours });
    await node.write(RANGE_RULE);
    node.receive({ ph: 5 });
    await expect.poll(waiting).toBe(1);
    const [{ id }] = (await node.live()) as [Alert];
    await handlers[method]({ id, until: node.wall + 10 * HOUR });
    expect(await waiting()).toBe(0);
  });

  it('has the value at that time, and the worst since the beginning', async () => {
    await node.write({ ...(await node.builtIn('silent')), isOn: false } as RuleInput);
    const clockAt = (at: number) => new Date(at).toTimeString().slice(0, 5);
    const quietHours = { from: clockAt(START - HOUR), to: clockAt(START + HOUR) };
    await node.alerts.handlers.setAlertOptions({ ...(await node.alerts.handlers.alertOptions({})), quietHours });
    await node.write(RANGE_RULE);
    await node.receiveFor(1, { ph: 5 });
    await node.receiveFor(1, { ph: 4.25 });
    await node.receiveFor(90, { ph: 5.25 });
    // The timer of the outbox uses the system clock: this call wakes it.
    await node.alerts.handlers.setAlertOptions(await node.alerts.handlers.alertOptions({}));
    await expect.poll(() => node.texts.length, { timeout: 60_000 }).toBe(1);
    expect(node.texts[0]).toMatch(
      /^5\.25 now; at least 5\.50 is right\. Out of range since .*\. Worst since then: 4\.25\.\n/,
    );
  });
});

it('while every rule is off nothing listens to readings; a rule that is turned on knows the devices', async () => {
  for (const { rule } of (await node.alerts.handlers.alertRules({})).rules)
    await node.write({ ...rule, isOn: false } as RuleInput);
  await node.alerts.stop();
  await node.start();
  expect(node.events.isHeard('stored')).toBe(false);
  node.receive({ ph: 5 });
  await node.write(RANGE_RULE);
  expect(node.events.isHeard('stored')).toBe(true);
  await node.pass(MINUTE);
  node.receive({ ph: 5 });
  expect(await node.kinds()).toEqual(['range firing']);
});

it('rules watch a device after the owner claims it, and never a stranger’s', async () => {
  const stranger = node.stores.register({ name: 'Other' }, ['public']).id;
  await node.write(RANGE_RULE);
  node.device = stranger;
  const receivePublic = () => {
    node.seq += 1n;
    const times = { seq: String(node.seq), timestamp: String(node.wall), receivedAt: node.wall };
    const reading = { deviceId: stranger, ...times, values: { ph: 5 }, sealed: [] };
    node.events.emit('stored', () => ({ store: 'public', readings: [reading] }));
  };
  receivePublic();
  expect(await node.live()).toEqual([]);
  node.stores.write('private', [
    { kind: 'note', id: stranger, notes: { ...NO_NOTES, mine: true }, updatedAt: node.wall },
  ]);
  node.events.emit('noted', () => ({ deviceId: stranger }));
  await expect
    .poll(async () => {
      receivePublic();
      return node.kinds();
    })
    .toEqual(['range firing']);
});

it('a reading that arrives before its device is known counts, also as the last one before a silence', async () => {
  await node.write(RANGE_RULE);
  await node.write({ ...(await node.builtIn('silent')), threshold: 5 } as RuleInput);
  node.device = node.stores.register({ name: 'New' }, ['private']).id;
  node.receive({ ph: 5 });
  await expect.poll(() => node.kinds()).toEqual(['range firing']);
  await node.pass(6 * MINUTE);
  expect((await node.kinds()).toSorted()).toEqual(['range firing', 'silent firing']);
});

it('a hidden device has no alerts, and has them again when it is shown', async () => {
  await node.write(RANGE_RULE);
  node.receive({ ph: 5 });
  expect(await node.kinds()).toEqual(['range firing']);
  const hide = (isHidden: boolean) => {
    const notes = { ...NO_NOTES, isHidden };
    node.stores.write('private', [{ kind: 'note', id: node.device, notes, updatedAt: node.wall }]);
    node.events.emit('noted', () => ({ deviceId: node.device }));
  };
  hide(true);
  await expect.poll(() => node.kinds()).toEqual([]);
  node.wall += MINUTE;
  node.receive({ ph: 5 });
  expect(await node.kinds()).toEqual([]);
  hide(false);
  await expect
    .poll(async () => {
      node.wall += MINUTE;
      node.receive({ ph: 5 });
      return node.kinds();
    })
    .toEqual(['range firing']);
});
