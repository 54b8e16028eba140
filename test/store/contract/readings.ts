import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../src/main/store/port.ts';
import type { NewReading, Reading, StoredField } from '../../../src/main/store/reading.ts';
import { FIELD_NAMES } from '../../../src/shared/protocol/fields.ts';
import { newReading, type TestReading } from '../../support/readings.ts';
import { runs } from '../../support/thorough.ts';
import { kinds, type OpenStores, plainReading, register, type StoresUnderTest } from './stores-under-test.ts';

const TURN = 2n ** 63n;
const LAST = 2n ** 64n - 1n;

/** The compared form of a reading: bytes as lists, since engines may give any kind of Uint8Array. */
export function plainly({ seq, timestamp, receivedAt, keyVersion, fields }: Reading) {
  const values = FIELD_NAMES.map((name) => fields[name]);
  const comparable = values.map((value) => (value instanceof Uint8Array ? Array.from(value) : value));
  return { seq, timestamp, receivedAt, keyVersion, fields: comparable };
}

/** Newest first: by timestamp, then by seq. */
export function newestFirst(a: Reading, b: Reading): number {
  const key = a.timestamp === b.timestamp ? b.seq - a.seq : b.timestamp - a.timestamp;
  return key < 0n ? -1 : key > 0n ? 1 : 0;
}

/** Values near 0, near the turn of the sign of 64 bits, at its end, and anywhere. */
export const uint64 = fc.oneof(
  fc.bigInt(0n, 9n),
  fc.bigInt(2n ** 53n - 2n, 2n ** 53n + 2n),
  fc.bigInt(TURN - 3n, TURN + 3n),
  fc.bigInt(LAST - 3n, LAST),
  fc.bigInt(0n, LAST),
);

const field: fc.Arbitrary<StoredField> = fc.oneof(
  fc.constant(null),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  fc.uint8Array({ minLength: 28, maxLength: 268 }),
);

const reading: fc.Arbitrary<TestReading> = fc.record({
  seq: uint64,
  timestamp: uint64,
  receivedAt: fc.integer({ min: 0, max: 4_000_000_000_000 }),
  keyVersion: fc.integer({ min: 0, max: 4_294_967_295 }),
  fields: fc.array(field, { minLength: FIELD_NAMES.length, maxLength: FIELD_NAMES.length }),
});

/** Appends batches to a fresh device and compares fates, contents and order with those of a plain list. */
export async function checkAppends(store: Store, parameters: fc.Parameters<unknown>): Promise<void> {
  const batches = fc.array(fc.array(reading, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 4 });
  const property = fc.asyncProperty(batches, fc.integer({ min: 1, max: 30 }), uint64, async (sent, limit, before) => {
    const { id } = await register(store);
    const kept = new Map<bigint, NewReading>();
    for (const batch of sent) {
      const readings = batch.map((each) => newReading(id, each));
      const expected = readings.map((each) => {
        if (kept.has(each.seq)) return 'duplicate';
        kept.set(each.seq, each);
        return 'stored';
      });
      expect(kinds(await store.append(readings))).toEqual(expected);
    }
    const inOrder = [...kept.values()].sort(newestFirst).map(plainly);
    expect((await store.latest(id, limit)).map(plainly)).toEqual(inOrder.slice(0, limit));
    // Pages: behind each reading, and behind a seq that may be none.
    for (const [index, { seq }] of inOrder.entries())
      expect((await store.latest(id, limit, seq)).map(plainly)).toEqual(inOrder.slice(index + 1, index + 1 + limit));
    const lower = [...kept.keys()].filter((seq) => seq <= before);
    const nearest = lower.reduce((most, seq) => (seq > most ? seq : most), -1n);
    const at = inOrder.findIndex(({ seq }) => seq === nearest);
    const from = nearest === before ? at + 1 : at;
    const expected = at < 0 ? [] : inOrder.slice(from, from + limit);
    expect((await store.latest(id, limit, before)).map(plainly)).toEqual(expected);
  });
  await fc.assert(property, parameters);
}

/** The contract of readings. */
export function readingsContract(open: OpenStores): void {
  let stores: StoresUnderTest;
  let own: Store;
  beforeEach(async () => {
    stores = await open();
    own = stores.store('private');
  });
  afterEach(() => stores.dispose());

  it('stores any readings once and returns them whole, in the order of unsigned timestamps and seqs', async () => {
    await checkAppends(own, runs(25));
  });

  describe('a reading', () => {
    it('a stored reading sent again changes nothing, in one call or in two', async () => {
      const { id } = await register(own);
      const [first, second] = [plainReading(id, 1n, { fields: [1] }), plainReading(id, 1n, { fields: [2] })];
      expect(kinds(await own.append([first, second]))).toEqual(['stored', 'duplicate']);
      expect(kinds(await own.append([second]))).toEqual(['duplicate']);
      expect((await own.latest(id, 10)).map(plainly)).toEqual([plainly(first)]);
    });

    it('of a device that is not registered is reported as such, and does not stop others from being stored', async () => {
      const { id } = await register(own);
      const { id: elsewhere } = await register(stores.store('public'));
      const sent = [plainReading(elsewhere, 1n), plainReading(id, 1n), plainReading('ff'.repeat(32), 1n)];
      expect(kinds(await own.append(sent))).toEqual(['unknown_device', 'stored', 'unknown_device']);
      expect(await own.latest(elsewhere, 10)).toEqual([]);
    });

    it('belongs to its device: another’s may have the same seq', async () => {
      const [{ id: one }, { id: other }] = [await register(own), await register(own)];
      expect(kinds(await own.append([plainReading(one, 5n), plainReading(other, 5n)]))).toEqual(['stored', 'stored']);
      expect(await own.latest(one, 10)).toHaveLength(1);
    });

    it('is there after a restart', async () => {
      const { id } = await register(own);
      const readings = [0n, TURN - 1n, TURN, LAST].map((seq) => plainReading(id, seq, { timestamp: LAST - seq }));
      await own.append(readings);
      await stores.restart();
      const found = await stores.store('private').latest(id, 10);
      expect(found.map(plainly)).toEqual(readings.sort(newestFirst).map(plainly));
      expect(kinds(await stores.store('private').append([readings[0]!]))).toEqual(['duplicate']);
    });

    it('may have sealed values that are part of a larger buffer', async () => {
      const { id } = await register(own);
      const large = Buffer.from(Array.from({ length: 200 }, (_, index) => index));
      await own.append([plainReading(id, 1n, { fields: [large.subarray(100, 130)] })]);
      const [found] = await own.latest(id, 1);
      expect(plainly(found!).fields[0]).toEqual(Array.from(large.subarray(100, 130)));
    });
  });

  it('an empty append has no outcomes', async () => {
    expect(kinds(await own.append([]))).toEqual([]);
  });

  it('simultaneous appends each get their own outcomes', async () => {
    const { id } = await register(own);
    const seqs = Array.from({ length: 40 }, (_, index) => BigInt(index));
    const asked = [...seqs, ...seqs].map((seq) => own.append([plainReading(id, seq)]));
    const fates = kinds((await Promise.all(asked)).flat());
    // Two calls at the same time have no order: one of them stores the reading, the other one finds it there.
    const pairs = seqs.map((_, index) => [fates[index], fates[index + seqs.length]].toSorted());
    expect(pairs).toEqual(seqs.map(() => ['duplicate', 'stored']));
    expect(await own.latest(id, 100)).toHaveLength(seqs.length);
  });
}
