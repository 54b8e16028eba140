import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OwnerStoresForTest, type TestReading } from '../../../test/support/owner-stores.ts';
import type { History, Output, OwnerReading } from '../../shared/owner-api.ts';
import { FIELD_NAMES } from '../../shared/protocol/fields.ts';
import type { StoreName } from '../store/owner-stores.ts';

const HOUR = 3_600_000n;
const BASE = 1_760_000_400_000n;
const SEALED = Buffer.alloc(32, 7);

const field = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: -5000, max: 5000 }).map((value) => value / 100) },
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constant(SEALED) },
);

/** Few seqs and hours, so that stores meet in them; timestamps on the edges of hours among them. */
const reading = (hasClock: boolean): fc.Arbitrary<TestReading> =>
  fc
    .record({
      seq: fc.oneof(fc.bigInt(0n, 60n), fc.bigInt(2n ** 63n - 3n, 2n ** 63n + 3n)),
      hour: fc.bigInt(0n, 30n),
      inHour: fc.oneof(fc.constantFrom(0n, 1n, HOUR - 1n), fc.bigInt(0n, HOUR - 1n)),
      late: fc.integer({ min: 0, max: 40_000 }),
      fields: fc.array(field, { minLength: 6, maxLength: 6 }),
    })
    .map(({ seq, hour, inHour, late, fields }) => {
      const time = BASE + hour * HOUR + inHour;
      return { seq, timestamp: hasClock ? time : time - BASE, receivedAt: Number(time) + late, fields };
    });

type Step =
  | { readonly kind: 'append'; readonly stores: readonly StoreName[]; readonly readings: readonly TestReading[] }
  | { readonly kind: 'sumUp'; readonly store: StoreName };

const storeName = fc.constantFrom<StoreName>('private', 'public');
const steps = (hasClock: boolean): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constant('append' as const),
          stores: fc.constantFrom<StoreName[]>(['private'], ['public'], ['private', 'public']),
          readings: fc.array(reading(hasClock), { minLength: 1, maxLength: 25 }),
        }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('sumUp' as const), store: storeName }) },
    ),
    { minLength: 1, maxLength: 10 },
  );

interface Expected extends TestReading {
  readonly store: StoreName;
}

/** The merge as the issue words it, over plain lists. */
function merge(kept: Record<StoreName, Map<bigint, TestReading>>): Expected[] {
  const merged: Expected[] = [...kept.private.values()].map((one) => ({ ...one, store: 'private' }));
  for (const one of kept.public.values()) if (!kept.private.has(one.seq)) merged.push({ ...one, store: 'public' });
  return merged;
}

const compare = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0);

function seqsOf(readings: readonly OwnerReading[]): [string, string][] {
  return readings.map(({ seq, store }) => [seq, store]);
}

/** Reads all pages of a range. */
function allPages(stores: OwnerStoresForTest, id: string, from: number | null, to: number | null, limit: number) {
  const found: OwnerReading[] = [];
  let cursor: string | null = null;
  let total: number | null = null;
  do {
    const page: Output<'readingsPage'> = stores.ask('readingsPage', { id, from, to, cursor, limit });
    total ??= page.total;
    found.push(...page.readings);
    cursor = page.next;
  } while (cursor !== null);
  return { found, total };
}

function checkHistory(answer: History, inRange: readonly Expected[], timeOf: (one: Expected) => number): void {
  const { stepMs, times, fields } = answer;
  const groups = new Map<number, Expected[]>();
  for (const [index, one] of inRange.entries()) {
    const key = stepMs === null ? index : Math.floor(timeOf(one) / stepMs) * stepMs;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const ordered = [...groups].sort(([a], [b]) => a - b);
  const expectedTimes = stepMs === null ? inRange.map(timeOf) : ordered.map(([time]) => time);
  expect(times).toEqual(expectedTimes);
  for (const [field, name] of FIELD_NAMES.entries()) {
    const { min, max, mean, count, sealed } = fields[name];
    for (const [index, [, group]] of ordered.entries()) {
      const values = group.map((one) => one.fields[field]).filter((value) => typeof value === 'number');
      const expected = {
        min: values.length === 0 ? null : Math.min(...values),
        max: values.length === 0 ? null : Math.max(...values),
        count: values.length,
        sealed: group.filter((one) => one.fields[field] instanceof Uint8Array).length,
      };
      const got = { min: min[index], max: max[index], count: count[index], sealed: sealed[index] };
      expect(got).toEqual(expected);
      if (values.length === 0) expect(mean[index]).toBeNull();
      // The order of additions is open, so the last bits of a mean are.
      else expect(mean[index]).toBeCloseTo(values.reduce((sum, value) => sum + value, 0) / values.length, 9);
    }
  }
}

test.each([
  ['timestamp', true],
  ['received', false],
] as const)('by %s, what is answered is what the merged readings say', (axis, hasClock) => {
  const range = fc.record({
    from: fc.option(fc.integer({ min: -2 * Number(HOUR), max: 32 * Number(HOUR) })),
    to: fc.option(fc.integer({ min: -2 * Number(HOUR), max: 32 * Number(HOUR) })),
    maxPoints: fc.integer({ min: 10, max: 60 }),
    limit: fc.integer({ min: 1, max: 40 }),
  });
  const property = fc.property(steps(hasClock), fc.array(range, { minLength: 1, maxLength: 4 }), (plan, ranges) => {
    const stores = new OwnerStoresForTest();
    try {
      const { id } = stores.register({}, ['private', 'public']);
      const kept = { private: new Map<bigint, TestReading>(), public: new Map<bigint, TestReading>() };
      for (const step of plan) {
        if (step.kind === 'sumUp') stores.sumUp(step.store);
        else {
          for (const store of step.stores) {
            stores.append(store, stores.numberIn(store, id), step.readings);
            for (const one of step.readings) if (!kept[store].has(one.seq)) kept[store].set(one.seq, one);
          }
          stores.state.summaries.arrived(id, 0);
        }
      }
      const merged = merge(kept);
      const timeOf = (one: Expected) => (hasClock ? Number(one.timestamp) : one.receivedAt);
      const bySeq = (a: Expected, b: Expected) => compare(a.seq, b.seq);
      const inOrder = hasClock
        ? merged.sort((a, b) => compare(a.timestamp, b.timestamp) || bySeq(a, b))
        : merged.sort(bySeq);
      const device = stores.ask('device', { id });
      expect(device.clockNotSet).toBe(!hasClock && merged.length > 0);
      // Either store's copy of a reading is a sign of life.
      const copies = [...kept.private.values(), ...kept.public.values()];
      const arrivals = copies.map(({ receivedAt }) => receivedAt);
      expect(device.lastReceivedAt).toBe(copies.length === 0 ? null : Math.max(...arrivals));
      expect(device.readings).toEqual([
        { store: 'private', count: kept.private.size },
        { store: 'public', count: kept.public.size },
      ]);
      const times = copies.map((one) => timeOf({ ...one, store: 'public' })).sort((a, b) => a - b);
      expect(device.span).toEqual(copies.length === 0 ? null : { from: times[0], to: times.at(-1) });
      const latest = stores.ask('latestReadings', { id, limit: 20 }).readings;
      const expected = inOrder.map(({ seq, store }) => [seq.toString(), store]);
      expect(seqsOf(latest)).toEqual(expected.slice(-20).reverse());

      for (const { maxPoints, limit, ...bounds } of ranges) {
        const [from, to] = [bounds.from, bounds.to].map((bound) => (bound === null ? null : Number(BASE) + bound));
        const inRange = inOrder.filter((one) => timeOf(one) >= (from ?? 0) && timeOf(one) <= (to ?? Infinity));
        const { found, total } = allPages(stores, id, from!, to!, limit);
        expect(seqsOf(found)).toEqual(inRange.map(({ seq, store }) => [seq.toString(), store]));
        expect(total).toBe(inRange.length);
        const answer = stores.ask('history', { id, from: from!, to: to!, maxPoints });
        expect(answer.axis).toBe(merged.length === 0 ? 'timestamp' : axis);
        expect(answer.times.length).toBeLessThanOrEqual(maxPoints);
        expect(answer.stepMs === null).toBe(inRange.length <= maxPoints);
        checkHistory(
          answer,
          [...inRange].sort((a, b) => timeOf(a) - timeOf(b)),
          timeOf,
        );
      }
    } finally {
      stores.dispose();
    }
  });
  fc.assert(property, { numRuns: 60 });
});
