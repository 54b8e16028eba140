import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OwnerStoresForTest } from '../../../../../test/support/owner-stores.ts';
import type { TestReading } from '../../../../../test/support/readings.ts';
import type { FieldName } from '../../../../shared/protocol/fields.ts';
import { formatRaw } from '../../../../shared/protocol/raw.ts';
import { MAX_UINT64 } from '../../../../shared/protocol/uint64.ts';
import type { ReadingFilter } from '../../stores-view.ts';
import { ReadConnection } from './read-connection.ts';
import { countsOf, type Source, selectReadings } from './readings.ts';
import { stretchesBetween } from './stretches.ts';

const START = 488_000 * 3_600_000;
const TURN = 2n ** 63n;
const SEALED = new Uint8Array(28).fill(7);
const ALL = 100;
/** The float next to 6.2 that a device sends for it. */
const FLOAT = Math.fround(6.2);
const OTHER_FIELDS = [900, 120.5, SEALED, null, 61];
/** The pH of readings with seqs from 0 on. */
const VALUES = [6.2, FLOAT, 5, null, SEALED, 0, -3, 6.2 - 7e-7, 6.2 - 8e-7, 6.2 + 7e-7, 6.2 + 8e-7];
const BELOW_ZERO = [-3 - 3e-7, -3 - 4e-7, -3 + 3e-7, -3 + 4e-7];

let stores: OwnerStoresForTest;
let connection: ReadConnection;
let id: string;
let source: Source;
const SIGNATURE = new Uint8Array(64).fill(9);
const RAW = Buffer.from('a raw string of its own');

beforeAll(() => {
  stores = new OwnerStoresForTest();
  stores.register({}, ['public']);
  id = stores.register({}, ['private', 'public']).id;
  const readings = [...VALUES, ...BELOW_ZERO].map((ph, index) => reading(BigInt(index), [ph]));
  stores.append('private', id, readings);
  const composed = formatRaw(id, String(TURN), String(MAX_UINT64), 3, [{ name: 'ph', decimals: 2, value: 7 }]);
  stores.append('public', id, [
    reading(1n, [1]),
    reading(20n, [7, ...OTHER_FIELDS], { keyVersion: 2, receivedAt: 5, signed: { signature: SIGNATURE, raw: RAW } }),
    reading(TURN, [7], {
      ...{ timestamp: MAX_UINT64, keyVersion: 3 },
      signed: { signature: SIGNATURE, raw: Buffer.from(composed) },
    }),
    reading(MAX_UINT64, [8]),
  ]);
  connection = ReadConnection.toBoth(stores.paths);
  source = { store: 'public', device: stores.numberIn('public', id), hiddenBy: null };
});
afterAll(async () => {
  connection.close();
  await stores.dispose();
});

function reading(seq: bigint, fields: TestReading['fields'], over: Partial<TestReading> = {}): TestReading {
  return { seq, timestamp: BigInt(START) + (seq % 1000n), receivedAt: START, fields, ...over };
}

const whole = () => stretchesBetween('received', 0n, MAX_UINT64);

it('a reading has its unsigned seq and timestamp, its time of arrival, its key and its fields', () => {
  const [, found, last] = selectReadings(connection, source, whole(), 'ASC', ALL);
  expect(found).toEqual({
    ...{ seq: 20n, timestamp: BigInt(START) + 20n, receivedAt: 5, keyVersion: 2 },
    fields: { ph: 7, ec: 900, waterLevel: 120.5, tempWater: Buffer.from(SEALED), tempAmbient: null, humidity: 61 },
  });
  expect(last).toEqual({
    ...{ seq: TURN, timestamp: MAX_UINT64, receivedAt: START, keyVersion: 3 },
    fields: { ph: 7, ec: null, waterLevel: null, tempWater: null, tempAmbient: null, humidity: null },
  });
});

it('a reading has its signed raw string if that is wanted, kept or composed again', () => {
  const found = selectReadings(connection, source, whole(), 'ASC', ALL, { signedBy: id });
  const plain = selectReadings(connection, source, whole(), 'ASC', ALL, { signedBy: null });
  const raw = formatRaw(id, String(TURN), String(MAX_UINT64), 3, [{ name: 'ph', decimals: 2, value: 7 }]);
  const signature = Buffer.from(SIGNATURE);
  expect(found).toEqual([
    { ...plain[0], signed: null },
    { ...plain[1], signed: { signature, raw: RAW } },
    { ...plain[2], signed: { signature, raw: Buffer.from(raw) } },
    { ...plain[3], signed: null },
  ]);
});

it.each<['ASC' | 'DESC', number, bigint[]]>([
  ['ASC', 0, []],
  ['ASC', 1, [1n]],
  ['ASC', 2, [1n, 20n]],
  ['ASC', 3, [1n, 20n, TURN]],
  ['ASC', ALL, [1n, 20n, TURN, MAX_UINT64]],
  ['DESC', 2, [MAX_UINT64, TURN]],
  ['DESC', 3, [MAX_UINT64, TURN, 20n]],
])('are read in order, %s, up to a limit over all stretches: %d', (direction, limit, seqs) => {
  const stretches = direction === 'ASC' ? whole() : whole().reverse();
  const found = selectReadings(connection, source, stretches, direction, limit);
  expect(found.map(({ seq }) => seq)).toEqual(seqs);
});

it('are hidden by the private readings with the same seq', () => {
  const hiddenBy = stores.numberIn('private', id);
  expect(hiddenBy).not.toBe(source.device);
  const found = selectReadings(connection, { ...source, hiddenBy }, whole(), 'ASC', ALL);
  expect(found.map(({ seq }) => seq)).toEqual([20n, TURN, MAX_UINT64]);
  const other = selectReadings(connection, { ...source, hiddenBy: source.device }, whole(), 'ASC', ALL);
  expect(other).toHaveLength(4);
  const filter: ReadingFilter = { field: 'ph', form: 'any', min: 1, max: 7 };
  const both = selectReadings(connection, { ...source, hiddenBy }, whole(), 'ASC', ALL, { filter });
  expect(both.map(({ seq }) => seq)).toEqual([20n, TURN]);
});

describe('a filter', () => {
  const PLAIN = [0, 1, 2, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14];
  it.each<[string, Partial<ReadingFilter>, number[]]>([
    ['of any form leaves out what is absent', {}, [...PLAIN.slice(0, 3), 4, ...PLAIN.slice(3)]],
    ['of plain values', { form: 'plain' }, PLAIN],
    ['of sealed values', { form: 'sealed' }, [4]],
    ['with a least value has those that differ by the rounding of a float', { min: 6.2 }, [0, 1, 7, 9, 10]],
    ['with a most value has those that differ by the rounding of a float', { max: 6.2, min: 5.5 }, [0, 1, 7, 8, 9]],
    ['with a least value below zero', { min: -3, max: -1 }, [6, 11, 13, 14]],
    ['with a most value below zero', { max: -3 }, [6, 11, 12, 13]],
    ['with zero as the least value', { min: 0, max: 5 }, [2, 5]],
    ['with zero as the most value', { max: 0, min: -1 }, [5]],
    ['of plain values with a bound', { form: 'plain', max: 0, min: -1 }, [5]],
    ['of sealed values with a bound has plain ones', { form: 'sealed', min: 6.3 }, []],
    ['of sealed values with a bound has no sealed one', { form: 'sealed', max: 5, min: 1 }, [2]],
    ['of any form with a most value has no sealed one', { max: 1e9, min: 6 }, [0, 1, 7, 8, 9, 10]],
  ])('%s', (_name, over, seqs) => {
    const filter: ReadingFilter = { field: 'ph', form: 'any', min: null, max: null, ...over };
    const own: Source = { store: 'private', device: stores.numberIn('private', id), hiddenBy: null };
    const found = selectReadings(connection, own, whole(), 'ASC', ALL, { filter });
    expect(found.map(({ seq }) => Number(seq))).toEqual(seqs);
  });

  it.each<[FieldName, number]>([
    ['ec', 900],
    ['waterLevel', 120.5],
    ['humidity', 61],
  ])('is about its own field: %s', (field, value) => {
    const filter: ReadingFilter = { field, form: 'any', min: value, max: value };
    const found = selectReadings(connection, source, whole(), 'ASC', ALL, { filter });
    expect(found.map(({ seq }) => seq)).toEqual([20n]);
  });

  it('has no more conditions than it needs', () => {
    const hiding = ' AND NOT EXISTS (SELECT 1 FROM main.readings p WHERE p.device = ? AND p.seq = r.seq)';
    expect(countsOf(source)).toEqual({ where: '', values: [] });
    expect(countsOf({ ...source, hiddenBy: 4 })).toEqual({ where: hiding, values: [4] });
    const filter: ReadingFilter = { field: 'waterLevel', form: 'any', min: 0, max: null };
    expect(countsOf({ ...source, hiddenBy: 4 }, filter)).toEqual({
      where: ` AND r.water_level IS NOT NULL AND typeof(r.water_level) <> 'blob' AND r.water_level >= ?${hiding}`,
      values: [0, 4],
    });
    expect(countsOf(source, { ...filter, min: null }).where).toBe(' AND r.water_level IS NOT NULL');
  });
});
