import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AT, DEVICE, someAlert } from '../../../../test/support/alert-notices.ts';
import { addChannel, DeskWorld, settled } from '../../../../test/support/desk-world.ts';
import { NO_OPTIONS } from '../../../shared/alerts/channel.ts';
import { NO_NOTES } from '../../../shared/owner-data/notes.ts';
import type { News } from '../news.ts';
import { NO_ALERTS } from '../state/document.ts';
import type { MessageDesk } from './message-desk.ts';

const MINUTE = 60_000;

let world: DeskWorld;
beforeEach(() => {
  world = new DeskWorld();
});
afterEach(() => world.dispose());

const news = (change: Partial<News> = {}): News => ({
  ...{ id: crypto.randomUUID(), kind: 'fired', at: AT, alert: someAlert(), channels: 'all' },
  ...{ device: { id: DEVICE, name: 'Tank', notes: NO_NOTES }, ...change },
});
const waiting = (desk: MessageDesk) => desk.kept.outbox.deliveries;
/** Opens a desk with a message that waits in quiet hours. */
async function inQuietHours(): Promise<MessageDesk> {
  const desk = world.open();
  await addChannel(desk);
  world.options = { ...NO_OPTIONS, quietHours: { from: '09:00', to: '10:00' } };
  desk.add(news());
  desk.flush();
  await settled();
  return desk;
}

describe('a desk before its state is restored', () => {
  it('has none, and can be stopped', async () => {
    const [desk] = world.make();
    expect(() => desk.kept).toThrow('what was kept of the messages is not there yet');
    await desk.stop();
  });
});

describe('news', () => {
  it('wait for each channel with the alert, the device and its unit', async () => {
    const desk = world.open();
    const [one, other] = [(await addChannel(desk)).channel.id, (await addChannel(desk)).channel.id];
    const unit = { label: 'drops' };
    const device = { id: DEVICE, name: 'Tank', notes: { ...NO_NOTES, units: { ph: unit } } };
    const told = news({ alert: someAlert({ severity: 'critical' }), device });
    desk.add(told);
    const { channels: _, ...rest } = told;
    const facts = { ...rest, severity: 'critical', device: { id: DEVICE, name: 'Tank', unit }, held: null };
    expect(waiting(desk)).toEqual(
      [one, other].map((channel) => ({ facts, channel, tries: 0, nextAt: AT, isQuiet: false })),
    );
    desk.add(news({ channels: [other, crypto.randomUUID()] }));
    expect(waiting(desk).map(({ channel }) => channel)).toEqual([one, other, other]);
  });

  it.each<[string, Partial<News>, object | null]>([
    ['of the node have no device', { alert: someAlert({ device: null, field: null }), device: null }, null],
    ['of an unknown device have its id', { device: null }, { id: DEVICE, name: '', unit: null }],
    ['without a field have no unit', { alert: someAlert({ field: null }) }, { id: DEVICE, name: 'Tank', unit: null }],
    ['about a field without a unit', {}, { id: DEVICE, name: 'Tank', unit: null }],
  ])('%s', async (_name, change, device) => {
    const desk = world.open();
    await addChannel(desk);
    desk.add(news(change));
    expect(waiting(desk)[0]!.facts.device).toEqual(device);
  });

  it('are shown by a view when they are flushed', async () => {
    const desk = world.open();
    const { channel } = await addChannel(desk);
    const told = news();
    desk.add(told);
    await settled();
    expect(world.shown).toEqual([]);
    world.changes = 0;
    desk.flush();
    await settled();
    expect(world.shown).toEqual([
      {
        id: told.id,
        alert: told.alert.id,
        severity: 'warning',
        title: 'Tank: pH below its range',
        text: expect.any(String),
        at: AT,
      },
    ]);
    expect(world.shown[0]!.text).toContain('4.8');
    expect(desk.list()).toEqual([
      {
        ...{ channel, secrets: [], isPlainBeyondLan: false },
        ...{ lastSuccessAt: AT, lastFailure: null, waiting: 0, held: 0 },
      },
    ]);
    expect(world.changes).toBeGreaterThan(0);
  });

  it('have the newest values of their alert', async () => {
    const desk = world.open();
    await addChannel(desk);
    world.live = someAlert({ value: 4.1, extreme: 3.9, state: 'snoozed' });
    desk.add(news());
    desk.add(news({ kind: 'ended', alert: someAlert({ value: 5.9, endedAt: AT, ended: 'back' }) }));
    desk.flush();
    await settled();
    expect(world.shown.map(({ text }) => text)).toEqual([
      expect.stringMatching(/4\.1.*3\.9/s),
      expect.not.stringMatching(/4\.1|3\.9/),
    ]);
  });

  it('wait in quiet hours, until the options change', async () => {
    const desk = await inQuietHours();
    expect(waiting(desk)).toMatchObject([{ isQuiet: true, nextAt: AT + 30 * MINUTE }]);
    world.options = NO_OPTIONS;
    desk.reconsider();
    await settled();
    expect([world.shown.length, waiting(desk)]).toEqual([1, []]);
  });

  it('that waited in quiet hours are sent by a desk that starts without them', async () => {
    const desk = await inQuietHours();
    expect(waiting(desk)).toMatchObject([{ isQuiet: true }]);
    world.options = NO_OPTIONS;
    const next = world.open(desk.kept);
    await settled();
    expect([world.shown.length, waiting(next)]).toEqual([1, []]);
  });

  it('that the owner has seen are withdrawn', async () => {
    const desk = world.open();
    await addChannel(desk);
    const { alert } = news();
    desk.add(news({ alert }));
    desk.withdraw(alert.id);
    expect(waiting(desk)).toEqual([]);
  });

  it('of an earlier run are sent at the start', async () => {
    const desk = world.open();
    await addChannel(desk);
    desk.add(news());
    await desk.stop();
    world.open(desk.kept);
    // The view listens from now on; the first try found none.
    await world.pass(5000);
    expect(world.shown).toHaveLength(1);
  });
});

describe('a channel', () => {
  it('is tested at once, with the failure', async () => {
    const desk = world.open();
    const { channel } = await addChannel(desk);
    expect([await desk.test(channel.id), world.shown]).toMatchObject([
      null,
      [{ alert: null, severity: 'warning', at: AT }],
    ]);
    world.shows = false;
    const failing = desk.test(channel.id);
    await world.pass(1000);
    const failure = { at: AT, fault: 'not_shown', detail: '', isPermanent: false, isGivenUp: true };
    expect(await failing).toEqual(failure);
    expect(desk.list()[0]!.lastFailure).toEqual({ ...failure, at: AT + 1000 });
    const [unheard] = world.make();
    unheard.restore(world.folder, JSON.parse(JSON.stringify(desk.kept)), true);
    expect(await unheard.test(channel.id)).toMatchObject({ fault: 'no_view' });
    await expect(desk.test(crypto.randomUUID())).rejects.toMatchObject({
      ...{ code: 'not_found', message: 'there is no such channel' },
    });
  });

  it('has its secrets by name, and says whether others can read its messages', async () => {
    const desk = world.open();
    const target = { kind: 'ntfy', server: 'http://ntfy.example', topic: 'a' } as const;
    const input = { id: null, name: '', isOn: false, maxPerHour: 20, withoutValues: false, target };
    expect(await desk.write(input, { token: 'tk' })).toMatchObject({ secrets: ['token'], isPlainBeyondLan: true });
  });

  it('that is turned off or deleted loses its messages', async () => {
    const desk = world.open();
    const [one, other] = [(await addChannel(desk)).channel, (await addChannel(desk)).channel];
    desk.add(news());
    await desk.write({ ...one, isOn: false }, {});
    expect(waiting(desk).map(({ channel }) => channel)).toEqual([other.id]);
    let atSave: unknown;
    await desk.delete(other.id, async () => {
      atSave = [desk.kept.channels.map(({ id }) => id), waiting(desk)];
    });
    expect(atSave).toEqual([[one.id], []]);
  });

  it('whose secrets can’t be deleted is logged', async () => {
    const desk = world.open();
    await desk.write(
      { ...(await addChannel(desk, { target: { kind: 'ntfy', server: 'http://127.0.0.1:9', topic: 'a' } })).channel },
      { token: 'tk' },
    );
    const [next] = world.make();
    next.restore(world.folder, { ...JSON.parse(JSON.stringify(desk.kept)), channels: [] }, true);
    const file = join(world.folder, 'alert-secrets.json');
    rmSync(file);
    mkdirSync(file);
    next.start();
    await expect
      .poll(() => world.logged, { interval: 1 })
      .toMatchObject([
        {
          level: 40,
          msg: 'secrets of deleted channels are still kept',
          reason: expect.stringContaining("can't be written"),
        },
      ]);
  });
});

it('values have the owner’s units and times the system’s zone, unless another is chosen', async () => {
  const text = async (timeZone?: { timeZone?: string }) => {
    const desk = world.open(NO_ALERTS, timeZone);
    await addChannel(desk);
    desk.add(news({ alert: someAlert({ field: 'tempAmbient', value: 10, extreme: 9, limit: 15 }) }));
    desk.flush();
    await settled();
    return world.shown.at(-1)!.text;
  };
  world.units = { temperature: 'fahrenheit' };
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  expect(await text({})).toBe(await text({ timeZone }));
  expect(await text({ timeZone: 'Asia/Kathmandu' })).toContain(':05');
  expect(world.shown.at(-1)!.text).toContain('50');
});
