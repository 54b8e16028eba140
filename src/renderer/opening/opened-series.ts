import type { OpeningFault } from '../../shared/crypto/keyring/opening.ts';
import { FIELD_NAMES, type FieldName } from '../../shared/protocol/fields.ts';
import type { OpenedFields } from '../format/values.ts';

const CHUNK_MS = 3_600_000;
/** The faults in the order of their numbers, from 1. */
const FAULTS: readonly OpeningFault[] = ['no_key', 'wrong_key', 'not_four_bytes', 'not_finite', 'nonce_reused'];
const FAULT_BITS = 3;
const FAULT_MASK = (1 << FAULT_BITS) - 1;

interface Item {
  readonly time: number;
  readonly receivedAt: number;
  /** In the order of FIELD_NAMES; NaN for a field without an opened value. An opened value is always finite. */
  readonly values: number[];
  /** Three bits per field: 0 for no fault, otherwise the number of the fault. */
  faults: number;
}

/** The result of opening one field: its value, or the reason why there is none. */
export type SeriesValue = number | OpeningFault;

/**
 * The opened fields of one device over time, for charts. A reading takes about 150 bytes, so that a year fits in
 * memory. They are in chunks of an hour, as readings arrive late and out of order.
 */
export class OpenedSeries {
  readonly #chunks = new Map<number, Map<string, Item>>();
  #size = 0;

  /** The number of readings in the series. */
  get size(): number {
    return this.#size;
  }

  /** Stores the results of opening a reading. `time` is in Unix milliseconds on the axis of the charts. */
  put(seq: string, time: number, receivedAt: number, fields: OpenedFields): void {
    const number = Math.floor(time / CHUNK_MS);
    let chunk = this.#chunks.get(number);
    if (chunk === undefined) {
      chunk = new Map();
      this.#chunks.set(number, chunk);
    }
    if (!chunk.has(seq)) this.#size++;
    let faults = 0;
    const values = FIELD_NAMES.map((field, index) => {
      const item = fields[field];
      if (item === undefined || item.ok) return item?.value ?? Number.NaN;
      faults |= (FAULTS.indexOf(item.reason) + 1) << (index * FAULT_BITS);
      return Number.NaN;
    });
    chunk.set(seq, { time, receivedAt, values, faults });
  }

  /** Returns whether this reading (same seq and arrival) is in the series. */
  has(seq: string, time: number, receivedAt: number): boolean {
    const item = this.#chunks.get(Math.floor(time / CHUNK_MS))?.get(seq);
    return item !== undefined && item.time === time && item.receivedAt === receivedAt;
  }

  /** Replaces a value that was found to be a copy. */
  overturn(seq: string, field: FieldName): void {
    const index = FIELD_NAMES.indexOf(field);
    for (const chunk of this.#chunks.values()) {
      const item = chunk.get(seq);
      if (item === undefined) continue;
      item.values[index] = Number.NaN;
      item.faults &= ~(FAULT_MASK << (index * FAULT_BITS));
      item.faults |= (FAULTS.indexOf('nonce_reused') + 1) << (index * FAULT_BITS);
    }
  }

  /** Calls back for every opened or failed field between two times, both inclusive, in no particular order. */
  forEach(from: number, to: number, callback: (time: number, field: number, value: SeriesValue) => void): void {
    for (const [number, chunk] of this.#chunks) {
      if ((number + 1) * CHUNK_MS <= from || number * CHUNK_MS > to) continue;
      for (const { time, values, faults } of chunk.values()) {
        if (time < from || time > to) continue;
        for (let field = 0; field < values.length; field++) {
          const fault = (faults >> (field * FAULT_BITS)) & FAULT_MASK;
          if (fault !== 0) callback(time, field, FAULTS[fault - 1]!);
          else if (!Number.isNaN(values[field])) callback(time, field, values[field]!);
        }
      }
    }
  }

  /** Overwrites and drops all values. */
  clear(): void {
    for (const chunk of this.#chunks.values()) for (const { values } of chunk.values()) values.fill(0);
    this.#chunks.clear();
    this.#size = 0;
  }
}
