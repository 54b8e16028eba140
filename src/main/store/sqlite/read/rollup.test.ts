import { expect, it } from 'vitest';
import { FIELD_NAMES } from '../../../../shared/protocol/fields.ts';
import { MAX_UINT64 } from '../../../../shared/protocol/uint64.ts';
import { Sums } from '../../sums.ts';
import { ROLLUP_FIELD_COLUMNS } from '../file/columns.ts';
import { addStored, addToSeqHash, FIELDS_WITHOUT_BYTES, toColumns, withoutBytes } from './rollup.ts';

const [PH, EC] = [FIELD_NAMES.indexOf('ph'), FIELD_NAMES.indexOf('ec')] as const;
const EMPTY = FIELD_NAMES.slice(2).flatMap(() => [0, 0, null, null, 0]);

function someSums(): Sums {
  const sums = new Sums();
  sums.addValues([6, 900, null, null, null, null], 0);
  sums.addValues([4, '', null, null, null, null], 0);
  return sums;
}

it('the columns of sums are count, sealed, least, most and sum of each field', () => {
  expect(toColumns(someSums())).toEqual([2, 0, 4, 6, 10, 1, 1, 900, 900, 900, ...EMPTY]);
  expect(toColumns(new Sums())).toHaveLength(ROLLUP_FIELD_COLUMNS.length);
});

it('a sum that is not a number is stored as infinity', () => {
  const sums = someSums();
  sums.sum[PH] = Number.NaN;
  sums.sum[EC] = Number.NEGATIVE_INFINITY;
  const columns = toColumns(sums);
  expect([columns[4], columns[9]]).toEqual([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
});

it('stored sums are added as they were, from their offset in a row', () => {
  const sums = new Sums();
  addStored(sums, 2, ['hour', 2, ...toColumns(someSums())], 2);
  expect(sums).toEqual(someSums());
  addStored(sums, 2, toColumns(someSums()), 0);
  expect(sums).toMatchObject({ readings: 4, count: [4, 2, 0, 0, 0, 0], sealed: [0, 2, 0, 0, 0, 0] });
  expect(sums.sum).toEqual([20, 1800, 0, 0, 0, 0]);
});

it('a field without plain values adds only its sealed ones', () => {
  const sums = new Sums();
  addStored(sums, 3, [0, 3, 1, 9, 7, ...toColumns(new Sums()).slice(5)], 0);
  const expected = new Sums();
  expected.readings = 3;
  expected.sealed[PH] = 3;
  expect(sums).toEqual(expected);
});

it('a stored sum that is missing is not a number', () => {
  const sums = new Sums();
  addStored(sums, 1, [1, 0, 5, 7, null, ...toColumns(new Sums()).slice(5)], 0);
  expect(sums.sum[PH]).toBeNaN();
  expect(sums.mean(PH)).toBe(6);
});

it('a sealed value is read as an empty text', () => {
  expect(withoutBytes('ph')).toBe("iif(typeof(ph) = 'blob', '', ph)");
  expect(FIELDS_WITHOUT_BYTES).toMatch(/^iif\(typeof\(ph\) = 'blob', '', ph\), iif.* '', humidity\)$/);
});

// Stores have these hashes.
it.each([
  [0n, 3_662_383_348_957_197],
  [1n, 4_479_944_694_742_461],
  [2n ** 32n - 1n, 621_276_459_016_050],
  [2n ** 32n, 3_662_383_095_064_824],
  [2n ** 32n + 1n, 4_479_946_696_691_168],
  [2n ** 63n, 3_662_386_477_100_614],
  [MAX_UINT64, 621_277_221_425_898],
])('the hash of seq %s stays the same', (seq, hash) => {
  expect(addToSeqHash(0, seq)).toBe(hash);
});

it('the hash of seqs does not depend on their order, and stays exact', () => {
  const hashOf = (seqs: readonly bigint[]) => seqs.reduce(addToSeqHash, 0);
  const seqs = Array.from({ length: 3000 }, (_, index) => BigInt(index));
  expect(hashOf(seqs)).toBe(72_626_648_341_510);
  expect(hashOf(seqs.toReversed())).toBe(72_626_648_341_510);
  expect(hashOf(seqs.slice(1))).not.toBe(72_626_648_341_510);
});
