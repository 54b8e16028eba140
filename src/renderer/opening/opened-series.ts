import type { OpeningFault } from '../../shared/crypto/keyring/opening.ts';
import { FIELD_NAMES, type FieldName } from '../../shared/protocol/fields.ts';
import type { OpenedFields } from '../format/values.ts';

const CHUNK_MS = 3_600_000;
/** In the order of their numbers, from 1. */
const FAULTS: readonly OpeningFault[] = ['no_key', 'wrong_key', 'not_four_bytes', 'not_finite', 'nonce_reused'];
const FAULT_BITS = 3;
const FAULT_MASK = (1 << FAULT_BITS) - 1;

interface Item {
  readonly time: number;
  readonly receivedAt: number;
  /** In the order of FIELD_NAMES; NaN where nothing was opened. An opened value is always finite. */
  readonly values: number[];
  /** Three bits a field: 0 for none, else the number of the fault. */
  faults: number;
}

/** The result of opening one field: its value, or why there is none. */
export type SeriesValue = number | OpeningFault;

/**
 * The opened fields of one device over time, for charts. About 150 bytes per reading, so that a year fits in memory;
 * in chunks of an hour, since readings arrive late and out of order.
 */
export class OpenedSeries {
  readonly #chunks = new Map<number, Map<string, Item>>();
  #size = 0;

  /** How many readings it holds. */
  get size(): number {
    return this.#size;
  }

  /** Stores the results of opening a reading; `time` in Unix milliseconds on the axis of the charts. */
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

  /** Whether this reading (same seq and arrival) is in the series. */
  has(seq: string, time: number, receivedAt: number): boolean {
    const item = this.#chunks.get(Math.floor(time / CHUNK_MS))?.get(seq);
    return item !== undefined && item.time === time && item.receivedAt === receivedAt;
  }

  /** Replaces a value that turned out to be a copy. */
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

  /** Calls back with every opened or failed field between two times, both inclusive, in no order. */
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

  /** Overwrites and drops everything. */
  clear(): void {
    for (const chunk of this.#chunks.values()) for (const { values } of chunk.values()) values.fill(0);
    this.#chunks.clear();
    this.#size = 0;
  }
}
