import { SENSOR_FIELDS } from '../../shared/protocol/fields.ts';

/** The number of sensor fields; parallel lists below have an entry for each, in the order of SENSOR_FIELDS. */
const FIELDS = SENSOR_FIELDS.length;
const HASH_MODULUS = 2 ** 52;
const SEQ_MASK = 0xffff_ffffn;

/** What is known of the readings of one hour, or of any other step: all of it can be added up. */
export class Rollup {
  readings = 0;
  /** Plain values of each field. */
  readonly count: number[] = new Array(FIELDS).fill(0);
  /** Sealed values of each field. */
  readonly sealed: number[] = new Array(FIELDS).fill(0);
  readonly min: number[] = new Array(FIELDS).fill(Number.POSITIVE_INFINITY);
  readonly max: number[] = new Array(FIELDS).fill(Number.NEGATIVE_INFINITY);
  readonly sum: number[] = new Array(FIELDS).fill(0);

  /** Adds a reading, its fields from `offset` of a row on: a number is plain, null is absent, anything else is sealed. */
  addReading(row: readonly unknown[], offset: number): void {
    this.readings += 1;
    for (let index = 0; index < FIELDS; index += 1) {
      const value = row[offset + index];
      if (value === null) continue;
      if (typeof value !== 'number') {
        this.sealed[index]! += 1;
        continue;
      }
      this.count[index]! += 1;
      this.sum[index]! += value;
      if (value < this.min[index]!) this.min[index] = value;
      if (value > this.max[index]!) this.max[index] = value;
    }
  }

  /** Adds the fields of a stored rollup: five columns for each field (see ROLLUP_FIELD_COLUMNS) from `offset` on. */
  addStored(readings: number, row: readonly unknown[], offset: number): void {
    this.readings += readings;
    for (let index = 0; index < FIELDS; index += 1) {
      const at = offset + index * 5;
      this.sealed[index]! += row[at + 1] as number;
      const count = row[at] as number;
      if (count === 0) continue;
      this.#addField(index, count, row[at + 2] as number, row[at + 3] as number, row[at + 4] as number | null);
    }
  }

  /** Adds all that another one knows. */
  add(other: Rollup): void {
    this.readings += other.readings;
    for (let index = 0; index < FIELDS; index += 1) {
      this.sealed[index]! += other.sealed[index]!;
      if (other.count[index]! === 0) continue;
      this.#addField(index, other.count[index]!, other.min[index]!, other.max[index]!, other.sum[index]!);
    }
  }

  /** The mean of a field's plain values, or null where it has none. Sums beyond a double still have a mean in range. */
  mean(index: number): number | null {
    const count = this.count[index]!;
    if (count === 0) return null;
    const min = this.min[index]!;
    const max = this.max[index]!;
    const mean = this.sum[index]! / count;
    return Number.isNaN(mean) ? min / 2 + max / 2 : Math.min(max, Math.max(min, mean));
  }

  /** The five columns of each field, as addStored reads them. */
  toColumns(): (number | null)[] {
    return SENSOR_FIELDS.flatMap((_field, index) => {
      const count = this.count[index]!;
      const bounds = count === 0 ? [null, null] : [this.min[index]!, this.max[index]!];
      // SQLite keeps no NaN (infinity less infinity); an infinite sum says as little.
      const sum = Number.isNaN(this.sum[index]!) ? Number.POSITIVE_INFINITY : this.sum[index]!;
      return [count, this.sealed[index]!, ...bounds, sum];
    });
  }

  #addField(index: number, count: number, min: number, max: number, sum: number | null): void {
    this.count[index]! += count;
    this.sum[index]! += sum ?? Number.NaN;
    if (min < this.min[index]!) this.min[index] = min;
    if (max > this.max[index]!) this.max[index] = max;
  }
}

/** The columns of `hourly_rollups` that hold the fields. */
export const ROLLUP_FIELD_COLUMNS = SENSOR_FIELDS.flatMap(({ policyName: name }) =>
  ['count', 'sealed', 'min', 'max', 'sum'].map((kind) => `${name}_${kind}`),
);

/** A field column of `readings` for a Rollup: a sealed value is an empty text, so that its bytes need not be read. */
export function withoutBytes(policyName: string): string {
  return `iif(typeof(${policyName}) = 'blob', '', ${policyName})`;
}

/** All field columns of `readings` for a Rollup. */
export const FIELDS_WITHOUT_BYTES = SENSOR_FIELDS.map(({ policyName }) => withoutBytes(policyName)).join(', ');

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
