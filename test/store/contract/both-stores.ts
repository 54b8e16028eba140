import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../../src/main/store/counts.ts';
import type { NewReading, Position } from '../../../src/main/store/reading.ts';
import type { ReadingFilter, Span, StoresView } from '../../../src/main/store/stores-view.ts';
import type { StoreName } from '../../../src/shared/protocol/codes.ts';
import { FIELD_NAMES } from '../../../src/shared/protocol/fields.ts';
import { MAX_UINT64 } from '../../../src/shared/protocol/uint64.ts';
import { newReading, type TestReading } from '../../support/readings.ts';
import { runs } from '../../support/thorough.ts';
import { compare, MergedModel } from './merged-model.ts';
import { plainly } from './readings.ts';
import { ask, BOTH, type OpenStores, plainReading, register, type StoresUnderTest } from './stores-under-test.ts';

const MINUTE_MS = 60_000;
const START = 488_888 * HOUR_MS;
const HOURS = 30;
const STEPS = [1000, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS];

const field = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: -5000, max: 5000 }).map((value) => value / 100) },
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.uint8Array({ minLength: 28, maxLength: 30 }) },
);

/** Few seqs and hours, so that the stores meet in them; timestamps on the edges of hours, and strays far away. */
const reading: fc.Arbitrary<TestReading> = fc
  .record({
    seq: fc.oneof(fc.bigInt(0n, 60n), fc.bigInt(2n ** 63n - 3n, 2n ** 63n + 3n), fc.constant(MAX_UINT64)),
    hour: fc.nat(HOURS),
    inHour: fc.oneof(fc.constantFrom(0, 1, HOUR_MS - 1), fc.nat(HOUR_MS - 1)),
    late: fc.nat(40_000),
    stray: fc.option(fc.constantFrom(0n, 2n ** 63n - 1n, 2n ** 63n, MAX_UINT64), { freq: 12 }),
    fields: fc.array(field, { minLength: FIELD_NAMES.length, maxLength: FIELD_NAMES.length }),
  })
  .map(({ seq, hour, inHour, late, stray, fields }) => {
    const time = START + hour * HOUR_MS + inHour;
    return { seq, timestamp: stray ?? BigInt(time), receivedAt: time + late, fields };
  });

type Step = { readonly stores: readonly StoreName[]; readonly readings: readonly TestReading[] } | 'restart';

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        stores: fc.constantFrom<StoreName[]>(['private'], ['public'], ['private', 'public']),
        readings: fc.array(reading, { minLength: 1, maxLength: 25 }),
      }),
    },
    { weight: 1, arbitrary: fc.constant<Step>('restart') },
  ),
  { minLength: 1, maxLength: 7 },
);

const bound = fc.integer({ min: -2 * HOUR_MS, max: (HOURS + 2) * HOUR_MS }).map((offset) => START + offset);
const question = fc.record({
  axis: fc.constantFrom<Span['axis']>('timestamp', 'received'),
  bounds: fc.tuple(bound, bound),
  isWhole: fc.boolean(),
  limit: fc.integer({ min: 1, max: 40 }),
  stepMs: fc.constantFrom(...STEPS),
  filter: fc.option(
    fc.record({
      field: fc.constantFrom(...FIELD_NAMES),
      form: fc.constantFrom<ReadingFilter['form']>('any', 'plain', 'sealed'),
      min: fc.option(fc.integer({ min: -50, max: 50 })),
      max: fc.option(fc.integer({ min: -50, max: 50 })),
    }),
  ),
});
type Question = typeof question extends fc.Arbitrary<infer T> ? T : never;

/** Whether what is answered of a device is what the plain lists say. */
async function compareAnswers(stores: StoresView, id: string, model: MergedModel, asked: Question): Promise<void> {
  const { axis, bounds, isWhole, limit, stepMs } = asked;
  const [from, to] = [...bounds].sort((a, b) => a - b) as [number, number];
  const span: Span = { axis, from: BigInt(from), to: BigInt(to) };
  const expected = model.inSpan(span);
  const positions = (readings: readonly { seq: bigint; store: string }[]) =>
    readings.map(({ seq, store }) => [seq, store]);

  const newest = await stores.latest(id, axis, limit);
  const all = model.inOrder(axis).reverse();
  expect(newest.map(plainly)).toEqual(all.slice(0, limit).map(plainly));
  expect(positions(newest)).toEqual(positions(all.slice(0, limit)));
  if (axis === 'timestamp') {
    const upTo = await stores.latest(id, axis, limit, span.to);
    expect(positions(upTo)).toEqual(positions(all.filter(({ timestamp }) => timestamp <= span.to).slice(0, limit)));
  }

  const paged = isWhole && axis === 'timestamp' ? { ...span, from: 0n, to: MAX_UINT64 } : span;
  const pages: Awaited<ReturnType<StoresView['page']>>[number][] = [];
  for (let after: Position | null = null, isLast = false; !isLast; ) {
    const page: typeof pages = [...(await stores.page(id, paged, after, limit))];
    pages.push(...page);
    isLast = page.length < limit;
    after = page.at(-1) ?? null;
  }
  expect(positions(pages)).toEqual(positions(model.inSpan(paged)));
  await comparePagesBackwards(stores, id, model, paged, asked);

  expect(await stores.count(id, paged)).toBe(model.inSpan(paged).length);
  expect(await stores.count(id, span, limit)).toBe(Math.min(expected.length, limit));
  const estimate = await stores.estimate(id, span, limit);
  expect(estimate).toBeGreaterThanOrEqual(Math.min(expected.length, limit));
  expect(estimate).toBeLessThanOrEqual(limit);

  const sums = await stores.sums(id, span, stepMs);
  const wanted = model.sums(span, stepMs);
  expect(sums.map(({ time, readings }) => [time, readings])).toEqual(
    wanted.map(({ time, readings }) => [time, readings]),
  );
  for (const [index, { fields }] of wanted.entries()) {
    for (const name of FIELD_NAMES) {
      const { mean, ...rest } = sums[index]!.fields[name];
      const { mean: wantedMean, ...wantedRest } = fields[name];
      expect(rest).toEqual(wantedRest);
      // The order of additions is open, so the last bits of a mean are.
      if (wantedMean === null) expect(mean).toBeNull();
      else expect(mean).toBeCloseTo(wantedMean, 9);
    }
  }

  const hours = [Math.floor(from / HOUR_MS), Math.floor(to / HOUR_MS)] as const;
  for (const name of FIELD_NAMES.slice(0, 2)) {
    const found = await stores.newestWith(id, name, ...hours);
    const wantedReading = model.newestWith(name, ...hours);
    expect(found === null ? null : positions([found])).toEqual(
      wantedReading === null ? null : positions([wantedReading]),
    );
  }
}

/** Whether pages against the order of the axis, and of what a filter lets through, are what the plain lists say. */
async function comparePagesBackwards(
  stores: StoresView,
  id: string,
  model: MergedModel,
  span: Span,
  { limit, filter }: Question,
): Promise<void> {
  const found: bigint[] = [];
  for (let before: Position | null = null, isLast = false; !isLast; ) {
    const page: Awaited<ReturnType<StoresView['page']>> = await stores.page(id, span, before, limit, {
      order: 'descending',
      filter,
    });
    found.push(...page.map(({ seq }) => seq));
    isLast = page.length < limit;
    before = page.at(-1) ?? null;
  }
  const wanted = model.inSpan(span).filter((each) => passes(each, filter));
  expect(found).toEqual(wanted.map(({ seq }) => seq).reverse());
  expect(await stores.count(id, span, undefined, filter)).toBe(wanted.length);
}

/** Whether a reading passes a filter, as the port words it. */
function passes({ fields }: NewReading, filter: ReadingFilter | null): boolean {
  if (filter === null) return true;
  const { form, min, max } = filter;
  const value = fields[filter.field];
  if (min !== null || max !== null) {
    return typeof value === 'number' && value >= (min ?? value) && value <= (max ?? value);
  }
  return form === 'any' ? value !== null : value !== null && (typeof value === 'number') === (form === 'plain');
}

async function compareTotals(stores: StoresView, id: string, model: MergedModel, since: number): Promise<void> {
  const { rows } = model;
  expect(await stores.heldCounts(id)).toEqual(BOTH.map((store) => model.heldIn(store)));
  expect(await stores.countInBoth(id, since)).toBe(model.inBoth(since));
  const arrived = rows.map(({ receivedAt }) => receivedAt);
  const arrivals = rows.length === 0 ? null : { first: Math.min(...arrived), last: Math.max(...arrived) };
  expect(await stores.arrivals(id)).toEqual(arrivals);
  const [from, to] = [BigInt(START), BigInt(START + 20 * HOUR_MS)];
  const found = rows.map(({ timestamp }) => timestamp).filter((time) => time >= from && time <= to);
  const inOrder = found.sort(compare);
  const timestamps = found.length === 0 ? null : { first: inOrder[0], last: inOrder.at(-1) };
  expect(await stores.timestamps(id, from, to)).toEqual(timestamps);
}

/** Puts readings into both stores in any order and compares every answer with that of plain lists. */
export async function checkMerging(stores: StoresUnderTest, parameters: fc.Parameters<unknown>): Promise<void> {
  const questions = fc.array(question, { minLength: 1, maxLength: 4 });
  const property = fc.asyncProperty(steps, questions, async (plan, asked) => {
    const seed = Buffer.from(crypto.getRandomValues(new Uint8Array(32)));
    const model = new MergedModel();
    const { id } = await register(stores.store('private'), { seed });
    await register(stores.store('public'), { seed });
    for (const step of plan) {
      if (step === 'restart') await stores.restart();
      else {
        const readings = step.readings.map((each) => newReading(id, each));
        for (const name of step.stores) {
          await stores.store(name).append(readings);
          model.append(name, readings);
        }
      }
      // What is remembered of one state must not show in the answers of the next.
      await ask(stores, (both) => compareAnswers(both, id, model, asked[0]!));
    }
    for (const each of asked) await ask(stores, (both) => compareAnswers(both, id, model, each));
    await ask(stores, (both) => compareTotals(both, id, model, asked[0]!.bounds[0]));
  });
  await fc.assert(property, parameters);
}

/** The contract of answers to the owner over both stores. */
export function bothStoresContract(open: OpenStores): void {
  let stores: StoresUnderTest;
  beforeEach(async () => {
    stores = await open();
  });
  afterEach(() => stores.dispose());

  it('answers match the merged readings, for any order of arrival', async () => {
    await checkMerging(stores, runs(12));
  }, 120_000);

  it('tells the readings of an hour apart by all 64 bits of their seqs, and counts from a time on, inclusive', async () => {
    const seed = Buffer.alloc(32, 1);
    const { id } = await register(stores.store('private'), { seed });
    await register(stores.store('public'), { seed });
    const at = (seq: bigint, ms: number) =>
      newReading(id, { seq, timestamp: BigInt(START + ms), receivedAt: START + ms, fields: [ms] });
    const same = [at(6n, 20), at(7n, 30), at(8n, HOUR_MS + 10), at(9n, HOUR_MS + 20)];
    await stores.store('private').append([at(5n, 10), ...same]);
    await stores.store('public').append([at(5n + 2n ** 32n, 10), ...same]);
    const span = { axis: 'timestamp', from: BigInt(START), to: BigInt(START + HOUR_MS - 1) } as const;
    for (let round = 0; round < 2; round += 1) {
      const [sums] = await ask(stores, (both) => both.sums(id, span, HOUR_MS));
      expect([sums!.readings, sums!.fields.ph.mean]).toEqual([4, (10 + 10 + 20 + 30) / 4]);
      const since = (ms: number) => ask(stores, (both) => both.countInBoth(id, START + ms));
      const counts = [0, 20, 21, 30, 31, HOUR_MS + 10, HOUR_MS + 11, HOUR_MS + 20, HOUR_MS + 21].map(since);
      expect(await Promise.all(counts)).toEqual([4, 4, 3, 3, 2, 2, 1, 1, 0]);
      // The sums of the hours are made.
      await stores.restart();
    }
  });

  it('returns nothing for an unknown device', async () => {
    const id = 'ff'.repeat(32);
    const span = { axis: 'timestamp', from: 0n, to: 2n ** 53n - 1n } as const;
    const answers = await ask(stores, async (both) => [
      await both.latest(id, 'timestamp', 10),
      await both.page(id, span, null, 10),
      await both.count(id, span),
      await both.estimate(id, span, 10),
      await both.sums(id, span, HOUR_MS),
      await both.newestWith(id, 'ph', 0, 1000),
      await both.timestamps(id, 0n, 1000n),
      await both.arrivals(id),
      await both.heldCounts(id),
      await both.countInBoth(id, 0),
    ]);
    expect(answers).toEqual([[], [], 0, 0, [], null, null, null, [], 0]);
  });

  describe('a snapshot', () => {
    it('has the state of one moment: later writes appear in the next one', async () => {
      const store = stores.store('private');
      const { id } = await register(store);
      await store.append([plainReading(id, 1n)]);
      const seen = await ask(stores, async (both) => {
        const before = await both.latest(id, 'timestamp', 10);
        await store.append([plainReading(id, 2n)]);
        await register(store);
        return [before.length, (await both.latest(id, 'timestamp', 10)).length, (await both.devices()).length];
      });
      expect(seen).toEqual([1, 1, 1]);
      const after = await ask(stores, async (both) => [
        (await both.latest(id, 'timestamp', 10)).length,
        (await both.devices()).length,
      ]);
      expect(after).toEqual([2, 2]);
    });

    it('waits for the previous one, and runs after its failure', async () => {
      const order: string[] = [];
      const first = ask(stores, async (both) => {
        order.push('first begins');
        await both.devices();
        await new Promise((resolve) => setImmediate(resolve));
        order.push('first ends');
        throw new Error('of the question');
      });
      const second = ask(stores, async () => order.push('second'));
      await expect(first).rejects.toThrow('of the question');
      await second;
      expect(order).toEqual(['first begins', 'first ends', 'second']);
    });
  });

  it('prepares charts by arrival in steps that come to an end', async () => {
    const store = stores.store('private');
    const { id } = await register(store);
    const model = new MergedModel();
    const readings = Array.from({ length: 3000 }, (_, index) =>
      plainReading(id, BigInt(index), {
        timestamp: BigInt(index),
        receivedAt: START + index * MINUTE_MS,
        fields: [index % 9],
      }),
    );
    await store.append(readings);
    model.append('private', readings);
    const { reader } = stores;
    for (let turns = 0; await reader.prepareArrivals(id, 600); turns += 1) expect(turns).toBeLessThan(100);
    const span = { axis: 'received', from: BigInt(START), to: BigInt(START + 3000 * MINUTE_MS) } as const;
    const counted = async () => {
      const sums = await ask(stores, (both) => both.sums(id, span, HOUR_MS));
      return sums.map(({ time, readings: count, fields }) => [time, count, fields.ph.max]);
    };
    const expected = () =>
      model.sums(span, HOUR_MS).map(({ time, readings: count, fields }) => [time, count, fields.ph.max]);
    expect(await counted()).toEqual(expected());

    expect(await store.forget(id, 700)).toEqual({ readings: 700, isDone: false });
    reader.forgotten(id);
    const left = await store.latest(id, 5000);
    const rest = new MergedModel();
    rest.append(
      'private',
      left.map((each) => ({ ...each, deviceId: id })),
    );
    expect(rest.countIn('private')).toBe(2300);
    const again = rest.sums(span, HOUR_MS).map(({ time, readings: count, fields }) => [time, count, fields.ph.max]);
    expect(await counted()).toEqual(again);
  });
}
