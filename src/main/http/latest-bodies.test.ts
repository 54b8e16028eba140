import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LatestBodies } from './latest-bodies.ts';
import type { RenderedReading } from './reading-json.ts';

interface Plain {
  readonly seq: bigint;
  readonly timestamp: bigint;
}

const rendered = ({ seq, timestamp }: Plain): RenderedReading => {
  return { seq: String(seq), timestamp: String(timestamp), json: `[${seq},${timestamp}]` };
};

/** Returns the readings as a store does: newest first, sorted from scratch. */
function newest(all: readonly Plain[]): RenderedReading[] {
  const descending = (a: bigint, b: bigint) => (a < b ? 1 : a > b ? -1 : 0);
  return [...all]
    .sort((a, b) => descending(a.timestamp, b.timestamp) || descending(a.seq, b.seq))
    .slice(0, 500)
    .map(rendered);
}

const body = (readings: readonly RenderedReading[]) => `{"readings":[${readings.map(({ json }) => json).join(',')}]}`;

// Few distinct timestamps make ties common; some are around 2^63, where signed order would differ.
const reading = fc.record({
  seq: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  timestamp: fc.oneof(fc.bigInt({ min: 0n, max: 20n }), fc.constantFrom(2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n)),
});
const uniqueReadings = (maxLength: number) => fc.uniqueArray(reading, { selector: ({ seq }) => seq, maxLength });

it('agrees with the store for any order of arrival', async () => {
  await fc.assert(
    fc.asyncProperty(uniqueReadings(700), uniqueReadings(300), async (before, added) => {
      const all = [...before];
      const latest = new LatestBodies(async () => newest(all));
      expect((await latest.body('1')).toString()).toBe(body(newest(all)));
      for (const fresh of added) {
        if (all.some(({ seq }) => seq === fresh.seq)) continue;
        all.push(fresh);
        latest.add('1', rendered(fresh));
      }
      expect((await latest.body('1')).toString()).toBe(body(newest(all)));
    }),
    { numRuns: 50 },
  );
});

it('adds a reading once that the read from the store already had', async () => {
  const all: Plain[] = [{ seq: 1n, timestamp: 5n }];
  const latest = new LatestBodies(async () => newest(all));
  await latest.body('1');
  latest.add('1', rendered(all[0]!));
  expect((await latest.body('1')).toString()).toBe(body(newest(all)));
});

it('adds readings that are stored during a read, and reads once for simultaneous callers', async () => {
  const reads: ((readings: RenderedReading[]) => void)[] = [];
  const latest = new LatestBodies(() => new Promise((resolve) => reads.push(resolve)));
  const asked = [latest.body('1'), latest.body('1')];
  expect(latest.keeps('1')).toBe(true);
  latest.add('1', rendered({ seq: 2n, timestamp: 6n }));
  expect(reads).toHaveLength(1);
  reads[0]!([rendered({ seq: 1n, timestamp: 5n })]);
  const expected = body([rendered({ seq: 2n, timestamp: 6n }), rendered({ seq: 1n, timestamp: 5n })]);
  for (const answer of asked) expect((await answer).toString()).toBe(expected);
  expect((await latest.body('1')).toString()).toBe(expected);
});

it('caches nothing that was read before a deletion', async () => {
  const reads: ((readings: RenderedReading[]) => void)[] = [];
  const latest = new LatestBodies(() => new Promise((resolve) => reads.push(resolve)));
  const before = latest.body('1');
  latest.forget('1');
  reads[0]!([rendered({ seq: 1n, timestamp: 5n })]);
  await before;
  expect(latest.keeps('1')).toBe(false);
  const after = latest.body('1');
  reads[1]!([]);
  expect((await after).toString()).toBe(body([]));
});

it('reads again after a read that failed', async () => {
  let isFailing = true;
  const latest = new LatestBodies(async () => {
    if (isFailing) throw new Error('unreadable');
    return [];
  });
  await expect(latest.body('1')).rejects.toThrow('unreadable');
  isFailing = false;
  expect((await latest.body('1')).toString()).toBe(body([]));
});

/** A cache over answers of 500 readings of `bytes` each, which counts reads. */
function fetching(bytes: (device: number) => number) {
  const fetched = new Map<number, number>();
  const bodies = new LatestBodies(async (id) => {
    const device = Number(id);
    fetched.set(device, (fetched.get(device) ?? 0) + 1);
    const json = 'x'.repeat(bytes(device));
    return Array.from({ length: 500 }, (_, index) => ({ seq: String(index), timestamp: String(500 - index), json }));
  });
  const latest = {
    body: (device: number) => bodies.body(String(device)),
    keeps: (device: number) => bodies.keeps(String(device)),
    add: (device: number, reading: RenderedReading) => bodies.add(String(device), reading),
  };
  return { latest, times: (device: number) => fetched.get(device) ?? 0 };
}

/** Six plain fields of 32-bit floats. */
const EVERYDAY_BYTES = 260;
/** Six fields of 256 encrypted bytes. */
const LARGEST_BYTES = 3400;

it('caches the usual answers of 64 devices, each in one buffer for all readers', async () => {
  const { latest, times } = fetching(() => EVERYDAY_BYTES);
  const bodies = await Promise.all(Array.from({ length: 64 }, (_, device) => latest.body(device)));
  for (const [device, body] of bodies.entries()) expect(await latest.body(device)).toBe(body);
  for (let device = 0; device < 64; device += 1) expect(times(device)).toBe(1);
});

it('caches the most recently read answers, bounded in bytes, and reads the others again', async () => {
  const { latest, times } = fetching(() => LARGEST_BYTES);
  for (let device = 0; device < 64; device += 1) await latest.body(device);
  const kept = Array.from({ length: 64 }, (_, device) => device).filter((device) => latest.keeps(device));
  expect(kept).toEqual([60, 61, 62, 63]);
  await latest.body(60);
  await latest.body(0);
  expect(times(60)).toBe(1);
  expect(times(0)).toBe(2);
  expect(latest.keeps(60)).toBe(true);
  expect(latest.keeps(61)).toBe(false);
});

it('stays within its bound when larger readings replace small ones', async () => {
  const { latest } = fetching(() => 20);
  for (let device = 0; device < 10; device += 1) await latest.body(device);
  const json = 'y'.repeat(LARGEST_BYTES);
  for (let seq = 1000; seq < 1500; seq += 1) {
    for (let device = 0; device < 10; device += 1)
      latest.add(device, { seq: String(seq), timestamp: String(seq), json });
  }
  const kept = Array.from({ length: 10 }, (_, device) => device).filter((device) => latest.keeps(device));
  expect(kept).toHaveLength(4);
});

it('does not cache an answer that would evict the others', async () => {
  const { latest } = fetching((device) => (device === 9 ? 10_000 : EVERYDAY_BYTES));
  for (let device = 0; device < 10; device += 1) await latest.body(device);
  expect(Array.from({ length: 10 }, (_, device) => latest.keeps(device))).toEqual([...Array(9).fill(true), false]);
});
