import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { HOUR_MS } from '../../../src/main/store/counts.ts';
import type { Store } from '../../../src/main/store/port.ts';
import type { NewReading } from '../../../src/main/store/reading.ts';
import type { Span } from '../../../src/main/store/stores-view.ts';
import type { StoreName } from '../../../src/shared/protocol/codes.ts';
import { newReading } from '../../support/readings.ts';
import { runs } from '../../support/thorough.ts';
import { ask, BOTH, kinds, type OpenStores, register, type StoresUnderTest } from './stores-under-test.ts';

const START = 480_000 * HOUR_MS;
const MINUTE_MS = 60_000;
const KEPT_ALWAYS = 500;
const MAX_STEPS = 10_000;

/** A reading of each minute from `START` on, received when it was measured. */
function minutes(id: string, count: number, first = 0): NewReading[] {
  return Array.from({ length: count }, (_, index) => {
    const at = START + (first + index) * MINUTE_MS;
    return newReading(id, {
      seq: BigInt(first + index),
      timestamp: BigInt(at),
      receivedAt: at,
      fields: [(first + index) % 7],
    });
  });
}

/** Runs both jobs of retention to their end, in steps; gives how many readings they deleted. */
async function pruneAll(store: Store, id: string, before: number, limit = 100): Promise<number> {
  let total = 0;
  for (let step = 0, isDone = false; !isDone; step += 1) {
    expect(step).toBeLessThan(MAX_STEPS);
    const pruned = await store.prune(id, before, limit);
    total += pruned.readings;
    isDone = pruned.isDone;
  }
  let after: bigint | null = null;
  for (let step = 0; step === 0 || after !== null; step += 1) {
    expect(step).toBeLessThan(MAX_STEPS);
    const pruned: { readings: number; next: bigint | null } = await store.pruneStrays(id, before, after, limit);
    total += pruned.readings;
    after = pruned.next;
  }
  return total;
}

/** The contract of retention. */
export function retentionContract(open: OpenStores): void {
  let stores: StoresUnderTest;
  beforeEach(async () => {
    stores = await open();
  });
  afterEach(() => stores.dispose());

  const allHours = (hours: number): Span => {
    return { axis: 'timestamp', from: BigInt(START), to: BigInt(START + hours * HOUR_MS - 1) };
  };
  const sums = (id: string, hours: number, stepMs = HOUR_MS) =>
    ask(stores, (both) => both.sums(id, allHours(hours), stepMs));
  /** The store as it is once the sums of all hours are made. */
  const summedUp = async (name: StoreName) => {
    await stores.restart();
    return stores.store(name);
  };

  it('deletes old readings and keeps the sums of their hours', async () => {
    const { id } = await register(stores.store('private'));
    await stores.store('private').append(minutes(id, 3000));
    const store = await summedUp('private');
    const before = START + 20 * HOUR_MS;
    const [hourly, daily] = [await sums(id, 50), await sums(id, 48, 24 * HOUR_MS)];
    expect(await ask(stores, (both) => both.countBefore('private', id, before))).toBe(1200);

    expect(await pruneAll(store, id, before)).toBe(1200);
    expect(await ask(stores, (both) => both.count(id, allHours(50)))).toBe(1800);
    expect(await sums(id, 50)).toEqual(hourly);
    expect(await sums(id, 48, 24 * HOUR_MS)).toEqual(daily);
    await ask(stores, async (both) => {
      expect(await both.keptFrom(id)).toBe(before);
      expect(await both.countBefore('private', id, before)).toBe(0);
      expect(await both.timestamps(id, BigInt(START), 2n ** 62n)).toEqual({
        first: BigInt(START),
        last: BigInt(START + 2999 * MINUTE_MS),
      });
      expect((await both.heldCounts(id))[0]!.count).toBe(1800);
      expect(await both.page(id, allHours(20), null, 10)).toEqual([]);
    });
    expect(await pruneAll(store, id, before)).toBe(0);
    expect(await sums(id, 50)).toEqual(hourly);
  });

  it('treats a deleted reading that arrives again as a duplicate, also after a restart', async () => {
    const { id } = await register(stores.store('private'));
    await stores.store('private').append(minutes(id, 1000));
    let store = await summedUp('private');
    const hourly = await sums(id, 17);
    await pruneAll(store, id, START + 3 * HOUR_MS);
    for (let round = 0; round < 2; round += 1) {
      expect(new Set(kinds(await store.append(minutes(id, 1000))))).toEqual(new Set(['duplicate']));
      store = await summedUp('private');
      expect(await sums(id, 17)).toEqual(hourly);
    }
    expect(kinds(await store.append(minutes(id, 1, 1000)))).toEqual(['stored']);
  });

  it('keeps the newest 500 of a device, of any age, and later arrivals', async () => {
    const { id } = await register(stores.store('private'));
    const late = newReading(id, {
      seq: 9000n,
      timestamp: BigInt(START + 1),
      receivedAt: START + 900 * HOUR_MS,
      fields: [1],
    });
    await stores.store('private').append([...minutes(id, 780), late]);
    const store = await summedUp('private');
    // The hours of the newest 500 stay whole; the first one holds the late reading.
    expect(await pruneAll(store, id, START + 500 * HOUR_MS)).toBe(180);
    const left = await store.latest(id, 1000);
    expect(left).toHaveLength(601);
    expect(left.length - 1).toBeGreaterThanOrEqual(KEPT_ALWAYS);
    expect(left.some(({ seq }) => seq === 9000n)).toBe(true);
    // A reading of an hour that is still there is taken in as ever.
    expect(kinds(await store.append([{ ...late, seq: 9001n }]))).toEqual(['stored']);
  });

  it('deletes readings of a device without a clock by their arrival', async () => {
    const { id } = await register(stores.store('private'));
    const uptimes = Array.from({ length: 1200 }, (_, index) => {
      const receivedAt = START + index * MINUTE_MS;
      return newReading(id, { seq: BigInt(index), timestamp: BigInt(1000 + index), receivedAt, fields: [1] });
    });
    const ahead = newReading(id, { seq: 5000n, timestamp: 2n ** 63n + 5n, receivedAt: START, fields: [2] });
    await stores.store('private').append([...uptimes, ahead]);
    const store = await summedUp('private');
    expect(await pruneAll(store, id, START + 10 * HOUR_MS)).toBe(600);
    stores.reader.forgotten(id);
    expect(await store.latest(id, 2000)).toHaveLength(601);
    const received = { axis: 'received', from: BigInt(START), to: BigInt(START + 20 * HOUR_MS - 1) } as const;
    const left = await ask(stores, (both) => both.sums(id, received, HOUR_MS));
    expect(left.reduce((total, { readings }) => total + readings, 0)).toBe(601);
    expect(await ask(stores, (both) => both.keptFrom(id))).toBeNull();
    const byTimestamp = { axis: 'timestamp', from: 0n, to: BigInt(HOUR_MS - 1) } as const;
    for (let round = 0; round < 2; round += 1) {
      expect((await ask(stores, (both) => both.heldCounts(id)))[0]!.count).toBe(601);
      expect((await ask(stores, (both) => both.sums(id, byTimestamp, HOUR_MS)))[0]!.readings).toBe(600);
      await summedUp('private');
    }
  });

  it('skips an hour without its sums', async () => {
    const { id } = await register(stores.store('private'));
    const store = stores.store('private');
    await store.append(minutes(id, 30));
    await store.append(minutes(id, 600, 10_000));
    const pruned = await store.prune(id, START + 1000 * HOUR_MS, 10_000);
    expect(pruned.isDone).toBe(true);
    const hourly = await sums(id, 1000);
    expect(hourly.reduce((total, { readings }) => total + readings, 0)).toBe(630);
  });

  it('counts an hour once that one store has as readings and the other as sums', async () => {
    for (const name of BOTH) {
      const { id } = await register(stores.store(name), { seed: Buffer.alloc(32, 7) });
      await stores.store(name).append(minutes(id, 1000));
    }
    const { id } = await register(stores.store('private'), { seed: Buffer.alloc(32, 7) });
    await stores.restart();
    const hourly = await sums(id, 17);
    for (const name of BOTH) {
      await pruneAll(stores.store(name), id, START + 5 * HOUR_MS);
      expect(await sums(id, 17)).toEqual(hourly);
    }
  });

  it('has the sums of the store with more readings of an hour, if each deletes by its own rules', async () => {
    const seed = Buffer.alloc(32, 5);
    const { id } = await register(stores.store('private'), { seed });
    await register(stores.store('public'), { seed });
    // Half of the fourth hour is in the public store alone, and half of the second and the whole first in the private one.
    await stores.store('private').append(minutes(id, 1000).filter(({ seq }) => seq < 180n || seq >= 210n));
    await stores.store('public').append(minutes(id, 910, 90));
    await stores.restart();
    const hourly = await sums(id, 17);
    expect(hourly.map(({ readings }) => readings)).toEqual([...Array.from({ length: 16 }, () => 60), 40]);
    const facts = () =>
      ask(stores, async (view) => [await view.keptFrom(id), await view.timestamps(id, BigInt(START), 2n ** 62n)]);
    const first = BigInt(START);
    const last = BigInt(START + 999 * MINUTE_MS);
    for (const [name, hours, kept] of [
      ['public', 5, 5],
      ['private', 2, 5],
      ['private', 7, 7],
    ] as const) {
      await pruneAll(stores.store(name), id, START + hours * HOUR_MS);
      expect(await sums(id, 17)).toEqual(hourly);
      expect(await facts()).toEqual([START + kept * HOUR_MS, { first, last }]);
    }
  });

  it('keeps nothing of a deleted device', async () => {
    const { id } = await register(stores.store('private'));
    await stores.store('private').append(minutes(id, 1000));
    const store = await summedUp('private');
    await pruneAll(store, id, START + 5 * HOUR_MS);
    while (!(await store.forget(id, 10_000)).isDone);
    await register(store, { seed: Buffer.alloc(32, 8) });
    expect(await ask(stores, (both) => both.keptFrom(id))).toBeNull();
    expect(await sums(id, 17)).toEqual([]);
  });

  it('changes no hourly sum, for any data and interruption', async () => {
    const reading = fc.record({
      minute: fc.integer({ min: 0, max: 2000 }),
      delay: fc.integer({ min: 0, max: 300 }),
      value: fc.oneof(
        fc.constant(null),
        fc.double({ min: -50, max: 50, noNaN: true }),
        fc.uint8Array({ minLength: 28, maxLength: 28 }),
      ),
    });
    let devices = 0;
    const property = fc.asyncProperty(
      fc.array(reading, { minLength: 1, maxLength: 40 }),
      fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 3 }),
      async (sent, cuts) => {
        devices += 1;
        const seed = Buffer.alloc(32);
        seed.writeUInt32LE(devices);
        const { id } = await register(stores.store('private'), { seed });
        const old = sent.map(({ minute, delay, value }, index) => {
          const at = START + minute * MINUTE_MS;
          const receivedAt = at + delay * MINUTE_MS;
          return newReading(id, { seq: BigInt(index), timestamp: BigInt(at), receivedAt, fields: [value] });
        });
        await stores.store('private').append([...old, ...minutes(id, KEPT_ALWAYS, 50_000)]);
        const store = await summedUp('private');
        const hourly = await sums(id, 40);
        for (const cut of cuts.toSorted((a, b) => a - b)) {
          const before = START + cut * HOUR_MS;
          await pruneAll(store, id, before, 3);
          expect(await sums(id, 40)).toEqual(hourly);
          const left = new Set((await store.latest(id, 1000)).map(({ seq }) => seq));
          const isRecent = (each: NewReading) => Number(each.timestamp) >= before || each.receivedAt >= before;
          expect(old.filter((each) => isRecent(each) && !left.has(each.seq))).toEqual([]);
        }
      },
    );
    await fc.assert(property, { ...runs(8), endOnFailure: true });
  });

  it('returns the number of readings beforehand: without the newest 500, and with those without a valid time', async () => {
    const reading = fc.record({
      minute: fc.integer({ min: 0, max: 2000 }),
      delay: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: -400, max: 0 })),
      isClockless: fc.boolean(),
    });
    let devices = 0;
    const property = fc.asyncProperty(
      fc.array(reading, { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 0, max: 600 }),
      fc.integer({ min: 0, max: 60 }),
      fc.boolean(),
      async (sent, newer, cut, isSummedUp) => {
        devices += 1;
        const seed = Buffer.alloc(32);
        seed.writeUInt32LE(devices);
        const { id } = await register(stores.store('private'), { seed });
        const old = sent.map(({ minute, delay, isClockless }, index) => {
          const at = START + minute * MINUTE_MS;
          const timestamp = BigInt(isClockless ? 1000 + index : at);
          return newReading(id, { seq: BigInt(index), timestamp, receivedAt: at + delay * MINUTE_MS, fields: [1] });
        });
        await stores.store('private').append([...old, ...minutes(id, newer, 1500)]);
        const before = START + cut * HOUR_MS + 1;
        if (isSummedUp) await summedUp('private');
        const said = await ask(stores, (both) => both.countBefore('private', id, before));
        const store = await summedUp('private');
        expect(await pruneAll(store, id, before, 50)).toBe(said);
        stores.reader.forgotten(id);
        expect(await ask(stores, (both) => both.countBefore('private', id, before))).toBe(0);
      },
    );
    await fc.assert(property, { ...runs(6), endOnFailure: true });
  });
}
