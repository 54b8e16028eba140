import { FIELD_NAMES, type FieldName } from '../../shared/protocol/fields.ts';
import type { StoredFields } from './reading.ts';
import type { FieldSums, StepSums } from './stores-view.ts';

/** The lists below have an entry for each sensor field, in the order of FIELD_NAMES. */
const FIELDS = FIELD_NAMES.length;

/** Counts and sums of some readings. */
export class Sums {
  readings = 0;
  /** The number of plain values by field. */
  readonly count: number[] = new Array(FIELDS).fill(0);
  /** The number of sealed values by field. */
  readonly sealed: number[] = new Array(FIELDS).fill(0);
  readonly min: number[] = new Array(FIELDS).fill(Number.POSITIVE_INFINITY);
  readonly max: number[] = new Array(FIELDS).fill(Number.NEGATIVE_INFINITY);
  readonly sum: number[] = new Array(FIELDS).fill(0);

  addReading(fields: StoredFields): void {
    this.addValues(
      FIELD_NAMES.map((name) => fields[name]),
      0,
    );
  }

  /**
   * Adds a reading whose fields begin at `offset` of a list: a number is plain, null is absent, anything else is
   * sealed.
   */
  addValues(values: readonly unknown[], offset: number): void {
    this.readings += 1;
    for (let index = 0; index < FIELDS; index += 1) {
      const value = values[offset + index];
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

  /** Adds the counts and sums of another object. */
  add(other: Sums): void {
    this.readings += other.readings;
    for (let index = 0; index < FIELDS; index += 1) {
      this.sealed[index]! += other.sealed[index]!;
      if (other.count[index]! === 0) continue;
      this.addField(index, other.count[index]!, other.min[index]!, other.max[index]!, other.sum[index]!);
    }
  }

  /** Adds at least one plain value of a field. */
  addField(index: number, count: number, min: number, max: number, sum: number): void {
    this.count[index]! += count;
    this.sum[index]! += sum;
    if (min < this.min[index]!) this.min[index] = min;
    if (max > this.max[index]!) this.max[index] = max;
  }

  /**
   * Returns the mean of a field's plain values, or null if it has none. If the sum overflows a double, the mean still
   * lies between min and max.
   */
  mean(index: number): number | null {
    const count = this.count[index]!;
    if (count === 0) return null;
    const min = this.min[index]!;
    const max = this.max[index]!;
    const mean = this.sum[index]! / count;
    return Number.isNaN(mean) ? min / 2 + max / 2 : Math.min(max, Math.max(min, mean));
  }

  /** Returns the sums as a step of a chart. */
  toStep(time: number): StepSums {
    const fields = {} as Record<FieldName, FieldSums>;
    for (const [index, name] of FIELD_NAMES.entries()) {
      const count = this.count[index]!;
      fields[name] = {
        count,
        sealed: this.sealed[index]!,
        min: count === 0 ? null : this.min[index]!,
        max: count === 0 ? null : this.max[index]!,
        mean: this.mean(index),
      };
    }
    return { time, readings: this.readings, fields };
  }
}
