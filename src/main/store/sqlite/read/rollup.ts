import { FIELD_NAMES } from '../../../../shared/protocol/fields.ts';
import type { Sums } from '../../sums.ts';
import { FIELD_COLUMNS } from '../file/columns.ts';

const HASH_MODULUS = 2 ** 52;
const SEQ_MASK = 0xffff_ffffn;

/** Adds a row of `hourly_rollups`: its field columns (see ROLLUP_FIELD_COLUMNS) begin at `offset`. */
export function addStored(sums: Sums, readings: number, row: readonly unknown[], offset: number): void {
  sums.readings += readings;
  for (let index = 0; index < FIELD_NAMES.length; index += 1) {
    const at = offset + index * 5;
    sums.sealed[index]! += row[at + 1] as number;
    const count = row[at] as number;
    if (count === 0) continue;
    sums.addField(index, count, row[at + 2] as number, row[at + 3] as number, (row[at + 4] as number | null) ?? NaN);
  }
}

/** Returns the field columns in the form that addStored reads. */
export function toColumns(sums: Sums): (number | null)[] {
  return FIELD_NAMES.flatMap((_name, index) => {
    const count = sums.count[index]!;
    const bounds = count === 0 ? [null, null] : [sums.min[index]!, sums.max[index]!];
    // SQLite can't store NaN (infinity minus infinity); an infinite sum means the same.
    const sum = Number.isNaN(sums.sum[index]!) ? Number.POSITIVE_INFINITY : sums.sum[index]!;
    return [count, sums.sealed[index]!, ...bounds, sum];
  });
}

/**
 * Returns the SQL of a field column of `readings` for Sums: a sealed value becomes an empty text, so its bytes are not
 * read.
 */
export function withoutBytes(column: string): string {
  return `iif(typeof(${column}) = 'blob', '', ${column})`;
}

export const FIELDS_WITHOUT_BYTES = FIELD_COLUMNS.map(withoutBytes).join(', ');

/** Adds a seq (unsigned) to the hash of a set of seqs; the order does not matter. */
export function addToSeqHash(hash: number, seq: bigint): number {
  const low = mix(Number(seq & SEQ_MASK) ^ 0x9e3779b1);
  const high = mix(Number((seq >> 32n) & SEQ_MASK) ^ low);
  return (hash + ((low >>> 0) & 0xfffff) * 2 ** 32 + (mix(low ^ Math.imul(high, 0x85ebca6b)) >>> 0)) % HASH_MODULUS;
}

/** The finaliser of MurmurHash3. */
function mix(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
