import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeClock } from '../../../../test/support/fake-clock.ts';
import { ATTACKER, HOME, idsOf, joiningForTest, someone } from '../../../../test/support/joining.ts';
import type { Joining } from './joining.ts';

const TEN_MINUTES_MS = 10 * 60_000;
const AT = 1_790_000_000_000;
const DEVICE = someone();
const gate = joiningForTest();

let clock: FakeClock;
let way: Joining;
let changes: () => number;
beforeEach(async () => {
  clock = new FakeClock(AT);
  ({ joining: way, newChanges: changes } = await gate.start(clock));
});

const { onDisk } = gate;
const keptIds = () => onDisk().devices.map(({ id }) => id);
const waits = () => way.pending.map(({ waitsFor }) => waitsFor);
const registered = (count: number, address: string) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const device = { ...DEVICE, id: randomBytes(32).toString('hex') };
      expect(await way.register(device, address)).toBe('new');
      return device;
    }),
  );

describe('the state', () => {
  it('is closed at first, and to close it again is no event', () => {
    expect(way.state).toEqual({ leftMs: null, closesAfterOne: false, joined: [] });
    way.close();
    expect(changes()).toBe(0);
  });

  it('has the rest of an opening in whole milliseconds, until it closes', () => {
    let atEnd: number | null = 0;
    setTimeout(() => {
      atEnd = way.state.leftMs;
    }, TEN_MINUTES_MS);
    way.open(true);
    expect([way.state, changes()]).toEqual([{ leftMs: TEN_MINUTES_MS, closesAfterOne: true, joined: [] }, 1]);
    vi.advanceTimersByTime(0.5);
    expect(way.state.leftMs).toBe(TEN_MINUTES_MS);
    vi.advanceTimersByTime(TEN_MINUTES_MS - 0.5);
    expect([atEnd, way.state.leftMs, changes(), vi.getTimerCount()]).toEqual([null, null, 1, 0]);
  });

  it('is closed by the owner once, and then has no timer', () => {
    way.open(false);
    way.close();
    way.close();
    expect([way.state.leftMs, changes(), vi.getTimerCount()]).toEqual([null, 2, 0]);
  });

  it('has the devices that joined in this opening, each once', () => {
    way.open(false);
    for (const id of ['a', 'b', 'a']) way.adopted(id);
    (way.state.joined as string[]).push('c');
    expect(way.state).toEqual({ leftMs: TEN_MINUTES_MS, closesAfterOne: false, joined: ['a', 'b'] });
    expect(changes()).toBe(4);
    way.forgotten('a');
    way.forgotten('a');
    expect([way.state.joined, changes()]).toEqual([['b'], 1]);
    way.open(false);
    expect(way.state.joined).toEqual([]);
  });

  it('is closed when the node stops, which ends every timer', async () => {
    way.open(false);
    await way.register(someone(), HOME);
    expect(clock.timers).toBe(1);
    await way.stop();
    expect([way.state.leftMs, clock.timers, vi.getTimerCount()]).toEqual([null, 0, 0]);
  });
});

describe('an opening for one device', () => {
  it('ends when the owner adopts one, and the others of the opening wait for the owner', async () => {
    way.open(false);
    await registered(1, HOME);
    way.open(true);
    await registered(2, HOME);
    changes();
    way.adopted('a');
    expect([way.state, changes()]).toEqual([{ leftMs: null, closesAfterOne: true, joined: ['a'] }, 1]);
    expect(waits()).toEqual(['reading', 'owner', 'owner']);
    await way.stop();
    expect(onDisk().devices.map(({ isHeld }) => isHeld)).toEqual([false, true, true]);
  });

  it('that is closed holds nobody when the owner adopts a device', async () => {
    way.open(true);
    await registered(1, HOME);
    way.close();
    changes();
    way.adopted('a');
    expect([waits(), changes()]).toEqual([['reading'], 1]);
  });
});

it.each([
  ['one', 'owner'],
  ['all', 'reading'],
])('in an opening for %s, others wait for the %s after a device was registered in another way', async (size, event) => {
  way.open(size === 'one');
  const [one, two] = await registered(2, HOME);
  changes();
  way.registered(one!.id);
  expect([idsOf(way.pending), waits(), changes()]).toEqual([[two!.id], [event], 1]);
  way.registered('unknown');
  expect(changes()).toBe(0);
  await way.stop();
  expect(keptIds()).toEqual([two!.id]);
});

describe('an opening that is full', () => {
  it('takes one more only from an address with fewer than another', async () => {
    way.open(false);
    const mine = await registered(100, HOME);
    await registered(100, ATTACKER);
    for (const address of [HOME, ATTACKER]) expect(await way.register(someone(), address)).toBe('closed');
    expect(await way.register(someone(), '192.168.1.3')).toBe('new');
    expect(idsOf(way.pending)).toHaveLength(200);
    expect(idsOf(way.pending)).not.toContain(mine[0]!.id);
    for (const { id } of mine.slice(50)) way.registered(id);
    expect(await way.register(someone(), '192.168.1.4')).toBe('new');
    expect(idsOf(way.pending)).toHaveLength(150);
  });

  it('replaces no proven device, and none of an earlier opening', async () => {
    way.open(false);
    await registered(1, ATTACKER);
    way.open(false);
    const devices = await registered(200, HOME);
    for (const { id } of devices.slice(1)) way.registered(id);
    way.signed(devices[0]!.id);
    expect(await way.register(someone(), '192.168.1.3')).toBe('closed');
  });
});
