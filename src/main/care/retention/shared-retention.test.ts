import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { RegisteredDevice, Store } from '../../store/port.ts';
import { SharedRetention } from './shared-retention.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = 1_790_000_000_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Returns a retention of 30 days over so many devices, with what it asked the store for. */
function started({
  devices = 1,
  pruneMs = 0,
  keepDays = 30,
  lease = (): boolean | Promise<boolean> => true,
  prune = (): number => 0,
} = {}) {
  const lines: { level: number; msg: string; readings?: number; err?: { message: string } }[] = [];
  const known = Array.from({ length: devices }, (_, at) => ({ id: String(at) }) as RegisteredDevice);
  const asked = { leases: [] as number[], pruned: [] as [id: string, before: number][] };
  const store = {
    shared: {
      lease: async (_task: string, ms: number) => {
        asked.leases.push(ms);
        return lease();
      },
    },
    devices: async ({ after, limit }: { after: string | null; limit: number }) => {
      const from = known.findIndex(({ id }) => id === after) + 1;
      return known.slice(from, from + limit);
    },
    prune: async (id: string, before: number) => {
      asked.pruned.push([id, before]);
      vi.advanceTimersByTime(pruneMs);
      return { readings: prune(), isDone: true, isWaiting: false };
    },
  } as unknown as Store;
  const clock = { now: () => NOW, isSteady: true };
  const log = pino({}, { write: (line) => lines.push(JSON.parse(line)) });
  const retention = new SharedRetention({ store: () => store, keepDays, clock, log });
  retention.start();
  return { retention, asked, clock, lines };
}

/** Lets an hour pass, and what begins then: the store answers at once. */
async function passHour() {
  vi.advanceTimersByTime(HOUR_MS);
  await setImmediate();
}

it('looks at every device once in 20 hours', async () => {
  const { asked } = started({ devices: 250 });
  await passHour();
  expect(asked.pruned).toEqual(Array.from({ length: 250 }, (_, at) => [String(at), NOW - 30 * DAY_MS]));
  expect(asked.leases.at(-1)).toBe(20 * HOUR_MS);
  for (let hour = 0; hour < 19; hour += 1) await passHour();
  expect(asked.pruned).toHaveLength(250);
  await passHour();
  expect(asked.pruned).toHaveLength(500);
});

it('does nothing while another node has the lease, while the clock may be wrong, and after its stop', async () => {
  const [other, unsteady, stopped] = [started({ lease: () => false }), started(), started()];
  unsteady.clock.isSteady = false;
  await stopped.retention.stop();
  await passHour();
  expect(other.asked).toEqual({ leases: [60_000], pruned: [] });
  expect(other.lines).toEqual([]);
  expect(vi.getTimerCount(), 'the stopped one looks no more').toBe(2);
  for (const { asked } of [unsteady, stopped]) expect(asked).toEqual({ leases: [], pruned: [] });
});

it('renews its lease while it works, and ends when it has lost it', async () => {
  let renewals = 0;
  const { asked } = started({ devices: 5, pruneMs: 30_000, lease: () => renewals++ < 2 });
  await passHour();
  expect(asked.pruned.map(([id]) => id)).toEqual(['0', '1']);
  expect(asked.leases).toEqual([60_000, 60_000, 60_000]);
  const often = started({ devices: 3, pruneMs: 20_000 });
  await passHour();
  expect(often.asked.leases.slice(0, 3)).toEqual([60_000, 60_000, 60_000]);
});

it('begins no second run beside the first one', async () => {
  const { asked } = started({ lease: () => new Promise<boolean>(() => {}) });
  for (let hour = 0; hour < 3; hour += 1) await passHour();
  expect(asked.leases).toHaveLength(1);
});

it('ends with the device that it is at when it stops', async () => {
  let stopped: Promise<void> | undefined;
  const { retention, asked } = started({
    devices: 3,
    prune: () => {
      stopped = retention.stop();
      return 0;
    },
  });
  await passHour();
  await stopped;
  expect(asked.pruned.map(([id]) => id)).toEqual(['0']);
});

it('returns and logs the number of deleted readings, and logs nothing if there is none', async () => {
  let left = 7;
  const { retention, lines } = started({ devices: 2, prune: () => left-- });
  expect(await retention.runNow()).toBe(13);
  expect(lines).toEqual([]);
  const logging = started({ prune: () => 5 });
  await passHour();
  await expect.poll(() => logging.lines).toHaveLength(1);
  const msg = 'retention deleted old readings of the public store';
  expect(logging.lines[0]).toMatchObject({ level: 30, msg, readings: 5 });
  const idle = started();
  await passHour();
  expect(idle.asked.pruned).toHaveLength(1);
  expect(idle.lines).toEqual([]);
});

it('logs why it could not delete, and tries again an hour later', async () => {
  const { asked, lines } = started({
    prune: () => {
      throw new Error('the disk is full');
    },
  });
  for (let hour = 0; hour < 2; hour += 1) await passHour();
  expect(asked.pruned).toHaveLength(2);
  const msg = 'retention could not delete old readings of the public store';
  const line = { level: 40, msg, err: expect.objectContaining({ message: 'the disk is full' }) };
  expect(lines).toEqual([expect.objectContaining(line), expect.objectContaining(line)]);
});

it('deletes nothing without a store that nodes share', async () => {
  const clock = { now: () => NOW, isSteady: true };
  for (const store of [null, {} as Store]) {
    const retention = new SharedRetention({ store: () => store, keepDays: 30, clock, log: pino({ level: 'silent' }) });
    expect(await retention.runNow()).toBe(0);
  }
});

it('deletes nothing if readings are kept for ever', async () => {
  const { asked } = started({ keepDays: 0 });
  for (let hour = 0; hour < 21; hour += 1) await passHour();
  expect(asked).toEqual({ leases: [], pruned: [] });
});
