import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OwnerStoresForTest } from '../../../../test/support/owner-stores.ts';
import type { TestReading } from '../../../../test/support/readings.ts';
import { runs } from '../../../../test/support/thorough.ts';
import type { Input, Output } from '../../../shared/owner-api/contract.ts';
import type { History, OwnerReading, ReadingFilter } from '../../../shared/owner-api/readings.ts';
import type { StoreName } from '../../../shared/protocol/codes.ts';
import { FIELD_NAMES } from '../../../shared/protocol/fields.ts';

const HOUR = 3_600_000n;
const BASE = 1_760_000_400_000n;
const SEALED = Buffer.alloc(32, 7);

const field = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: -5000, max: 5000 }).map((value) => value / 100) },
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constant(SEALED) },
);

/** A reading with one of few seqs and hours, so that the stores overlap. Some timestamps are on the edges of hours. */
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

/** The counts of one store over its plain list. */
function heldBy(store: StoreName, kept: ReadonlyMap<bigint, TestReading>) {
  const values = (index: number) => [...kept.values()].map(({ fields }) => fields[index]);
  const fields = FIELD_NAMES.map((name, index) => {
    const plain = values(index).filter((value) => typeof value === 'number').length;
    const sealed = values(index).filter((value) => value instanceof Uint8Array).length;
    return [name, { plain, sealed }];
  });
  return { store, fields: Object.fromEntries(fields) };
}

/** Returns whether a reading passes a filter, as the contract words it. */
function passes({ fields }: TestReading, filter: ReadingFilter | null): boolean {
  if (filter === null) return true;
  const value = fields[FIELD_NAMES.indexOf(filter.field)]!;
  const { form, min, max } = filter;
  if (min !== null || max !== null)
    return typeof value === 'number' && value >= (min ?? value) && value <= (max ?? value);
  return form === 'any' ? value !== null : typeof value === (form === 'plain' ? 'number' : 'object') && value !== null;
}

const compare = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0);

function seqsOf(readings: readonly OwnerReading[]): [string, string][] {
  return readings.map(({ seq, store }) => [seq, store]);
}

/** Reads all pages of a range. */
async function allPages(
  stores: OwnerStoresForTest,
  input: Omit<Input<'readingsPage'>, 'cursor'>,
): Promise<{ found: OwnerReading[]; total: number | null }> {
  const found: OwnerReading[] = [];
  let cursor: string | null = null;
  let total: number | null = null;
  do {
    const page: Output<'readingsPage'> = await stores.ask('readingsPage', { ...input, cursor });
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
      // The order of additions is not defined, so the last bits of a mean may differ.
      else expect(mean[index]).toBeCloseTo(values.reduce((sum, value) => sum + value, 0) / values.length, 9);
    }
  }
}

test.each([
  ['timestamp', true],
  ['received', false],
] as const)('by %s, the answers match the merged readings', async (axis, hasClock) => {
  const range = fc.record({
    from: fc.option(fc.integer({ min: -2 * Number(HOUR), max: 32 * Number(HOUR) })),
    to: fc.option(fc.integer({ min: -2 * Number(HOUR), max: 32 * Number(HOUR) })),
    maxPoints: fc.integer({ min: 10, max: 60 }),
    limit: fc.integer({ min: 1, max: 40 }),
    order: fc.constantFrom('ascending', 'descending'),
    filter: fc.option(
      fc.record({
        field: fc.constantFrom(...FIELD_NAMES),
        form: fc.constantFrom('any', 'plain', 'sealed'),
        min: fc.option(fc.integer({ min: -50, max: 50 })),
        max: fc.option(fc.integer({ min: -50, max: 50 })),
      }),
    ),
  });
  const property = fc.asyncProperty(
    steps(hasClock),
    fc.array(range, { minLength: 1, maxLength: 4 }),
    async (plan, ranges) => {
      const stores = new OwnerStoresForTest();
      try {
        const { id } = stores.register({}, ['private', 'public']);
        const kept = { private: new Map<bigint, TestReading>(), public: new Map<bigint, TestReading>() };
        for (const step of plan) {
          if (step.kind === 'sumUp') stores.sumUp(step.store);
          else {
            for (const store of step.stores) {
              stores.append(store, id, step.readings);
              for (const one of step.readings) if (!kept[store].has(one.seq)) kept[store].set(one.seq, one);
            }
            stores.memory.summaries.arrived(id, 0);
          }
        }
        const merged = merge(kept);
        const timeOf = (one: Expected) => (hasClock ? Number(one.timestamp) : one.receivedAt);
        const bySeq = (a: Expected, b: Expected) => compare(a.seq, b.seq);
        const inOrder = hasClock
          ? merged.sort((a, b) => compare(a.timestamp, b.timestamp) || bySeq(a, b))
          : merged.sort(bySeq);
        const device = await stores.ask('device', { id });
        expect(device.clockNotSet).toBe(!hasClock && merged.length > 0);
        // A copy of a reading in either store is a sign of life.
        const copies = [...kept.private.values(), ...kept.public.values()];
        const arrivals = copies.map(({ receivedAt }) => receivedAt);
        expect(device.lastReceivedAt).toBe(copies.length === 0 ? null : Math.max(...arrivals));
        expect(device.readings).toEqual([
          { store: 'private', count: kept.private.size },
          { store: 'public', count: kept.public.size },
        ]);
        expect(device.held).toEqual([heldBy('private', kept.private), heldBy('public', kept.public)]);
        const times = copies.map((one) => timeOf({ ...one, store: 'public' })).sort((a, b) => a - b);
        expect(device.span).toEqual(copies.length === 0 ? null : { from: times[0], to: times.at(-1) });
        const { readings: latest } = await stores.ask('latestReadings', { id, limit: 20 });
        const expected = inOrder.map(({ seq, store }) => [seq.toString(), store]);
        expect(seqsOf(latest)).toEqual(expected.slice(-20).reverse());

        for (const { maxPoints, limit, order, filter, ...bounds } of ranges) {
          const [from, to] = [bounds.from, bounds.to].map((bound) => (bound === null ? null : Number(BASE) + bound));
          const inRange = inOrder.filter((one) => timeOf(one) >= (from ?? 0) && timeOf(one) <= (to ?? Infinity));
          for (const options of [{}, { order, filter }]) {
            const passing = inRange.filter((one) => passes(one, options.filter ?? null));
            const { found, total } = await allPages(stores, { id, from: from!, to: to!, limit, ...options });
            const expected = passing.map(({ seq, store }) => [seq.toString(), store]);
            expect(seqsOf(found)).toEqual(options.order === 'descending' ? expected.reverse() : expected);
            expect(total).toBe(passing.length);
          }
          const answer = await stores.ask('history', { id, from: from!, to: to!, maxPoints });
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
        await stores.dispose();
      }
    },
  );
  await fc.assert(property, runs(20));
});
