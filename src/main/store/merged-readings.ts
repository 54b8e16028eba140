import { SENSOR_FIELDS } from '../../shared/protocol/fields.ts';
import { MAX_UINT64 } from '../../shared/protocol/uint64.ts';
import type { DeviceNumbers, OwnerStores, StoreName } from './owner-stores.ts';
import { type Axis, type Position, type Span, type Stretch, stretchesBetween, stretchesOf } from './reading-ranges.ts';
import { FIELDS_WITHOUT_BYTES } from './rollup.ts';
import { toUnsigned } from './unsigned.ts';
import type { StoredField } from './write-jobs.ts';

/** A reading as the owner sees it, whole from one store. */
export interface MergedReading extends Position {
  readonly store: StoreName;
  readonly receivedAt: number;
  readonly keyVersion: number;
  /** In the order of SENSOR_FIELDS. */
  readonly fields: readonly StoredField[];
}

/** A time and six fields in the form that Rollup takes. */
export type FieldsRow = readonly [time: number, ...fields: unknown[]];

type Row = [seq: bigint, timestamp: bigint, receivedAt: bigint, keyVersion: bigint, ...fields: StoredField[]];

const COLUMNS = `seq, timestamp, received_at, key_version, ${SENSOR_FIELDS.map((field) => field.policyName).join(', ')}`;
/**
 * A reading of the public store counts only where the private one has none of that seq. The parameter is the device's
 * number in the private store, NULL where that does not know it.
 */
export const COUNTS: Record<StoreName, string> = {
  private: '? IS NULL',
  public: 'NOT EXISTS (SELECT 1 FROM main.readings p WHERE p.device = ? AND p.seq = r.seq)',
};

/** Reads the readings of devices merged over both stores by (device, seq), the private one where both have it. */
export class MergedReadings {
  readonly #stores: OwnerStores;

  constructor(stores: OwnerStores) {
    this.#stores = stores;
  }

  /** The newest readings, newest first: by timestamp, or by seq on the axis 'received'; none beyond `to` of that. */
  latest(numbers: DeviceNumbers, axis: Axis, limit: number, to: bigint = MAX_UINT64): MergedReading[] {
    const newestOf = (store: StoreName, from: bigint) =>
      this.#select(store, numbers, stretchesBetween(axis, from, to).reverse(), 'DESC', limit);
    const own = newestOf('private', 0n);
    // Older than all of a full private list can't be among the newest: without this bound, a public store that has
    // the same readings would be read to its end in search of others.
    const oldest = own.length >= limit ? own.at(-1)! : null;
    const others = newestOf('public', oldest === null ? 0n : axis === 'timestamp' ? oldest.timestamp : oldest.seq);
    const compare = orderOf(axis);
    return [...own, ...others].sort((a, b) => compare(b, a)).slice(0, limit);
  }

  /** Readings of a span in the order of its axis, at most `limit`, from after a position on (null: its start). */
  page(numbers: DeviceNumbers, span: Span, after: Position | null, limit: number): MergedReading[] {
    const own = this.#select('private', numbers, stretchesOf(span, after), 'ASC', limit);
    const last = own.length >= limit ? own.at(-1)! : null;
    const others = this.#select('public', numbers, stretchesOf(span, after, last), 'ASC', limit);
    return [...own, ...others].sort(orderOf(span.axis)).slice(0, limit);
  }

  /** How many readings a span has, counted up to a limit. */
  count(numbers: DeviceNumbers, span: Span, limit: number): number {
    let total = 0;
    for (const { store, device, other } of this.#knowing(numbers)) {
      for (const { index, where, values } of stretchesOf(span)) {
        if (total >= limit) return total;
        const sql = `SELECT count(*) FROM (SELECT 1 FROM @.readings r ${index}
          WHERE r.device = ? AND ${where} AND ${COUNTS[store]} LIMIT ?)`;
        total += this.#stores.statement<[number]>(store, sql).get(device, ...values, other, limit - total)![0];
      }
    }
    return total;
  }

  /** How many rows of both stores a span has, with those that the merge leaves out, counted up to a limit. */
  countRows(numbers: DeviceNumbers, span: Span, limit: number): number {
    let total = 0;
    for (const { store, device } of this.#knowing(numbers)) {
      for (const { index, where, values } of stretchesOf(span)) {
        const sql = `SELECT count(*) FROM (SELECT 1 FROM @.readings r ${index} WHERE r.device = ? AND ${where} LIMIT ?)`;
        total += this.#stores.statement<[number]>(store, sql).get(device, ...values, limit)![0];
      }
    }
    return Math.min(total, limit);
  }

  /** The first and the last timestamp in either store within two (below 2^63), or null where there is none. */
  timestamps(
    numbers: DeviceNumbers,
    from: bigint,
    to: bigint,
  ): { readonly first: bigint; readonly last: bigint } | null {
    const found: bigint[] = [];
    for (const { store, device } of this.#knowing(numbers)) {
      for (const direction of ['ASC', 'DESC']) {
        const sql = `SELECT r.timestamp FROM @.readings r WHERE r.device = ? AND (r.timestamp < 0) = 0
          AND r.timestamp BETWEEN ? AND ? ORDER BY r.timestamp ${direction} LIMIT 1`;
        const row = this.#stores.statement<[bigint]>(store, sql, true).get(device, from, to);
        if (row !== undefined) found.push(row[0]);
      }
    }
    if (found.length === 0) return null;
    found.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    return { first: found[0]!, last: found.at(-1)! };
  }

  /**
   * Shows the fields of every reading of a span, in no order that counts: the time (of the span's axis), then the fields
   * in the form that Rollup takes. The span's times must be below 2^53. `from` limits it to what comes from one store.
   */
  forEach(numbers: DeviceNumbers, span: Span, visit: (row: FieldsRow) => void, from?: StoreName): void {
    const time = span.axis === 'timestamp' ? 'timestamp' : 'received_at';
    for (const { store, device, other } of this.#knowing(numbers)) {
      if (from !== undefined && store !== from) continue;
      for (const { index, where, values } of stretchesOf(span)) {
        const sql = `SELECT ${time}, ${FIELDS_WITHOUT_BYTES} FROM @.readings r ${index}
          WHERE r.device = ? AND ${where} AND ${COUNTS[store]}`;
        for (const row of this.#stores.statement<FieldsRow>(store, sql).iterate(device, ...values, other)) visit(row);
      }
    }
  }

  /** The stores that know a device, its number there, and its number in the store that goes first. */
  #knowing(numbers: DeviceNumbers): { store: StoreName; device: number; other: number | null }[] {
    return this.#stores.names.flatMap((store) => {
      const device = numbers[store];
      return device === null ? [] : [{ store, device, other: store === 'public' ? numbers.private : null }];
    });
  }

  #select(
    from: StoreName,
    numbers: DeviceNumbers,
    stretches: readonly Stretch[],
    direction: 'ASC' | 'DESC',
    limit: number,
  ): MergedReading[] {
    const found: MergedReading[] = [];
    for (const { store, device, other } of this.#knowing(numbers).filter(({ store }) => store === from)) {
      for (const { index, where, values, order } of stretches) {
        if (found.length >= limit) break;
        const sql = `SELECT ${COLUMNS} FROM @.readings r ${index} WHERE r.device = ? AND ${where} AND ${COUNTS[store]}
          ORDER BY ${order.map((column) => `${column} ${direction}`).join(', ')} LIMIT ?`;
        const rows = this.#stores.statement<Row>(store, sql, true);
        for (const row of rows.all(device, ...values, other, limit - found.length)) found.push(toReading(store, row));
      }
    }
    return found;
  }
}

function toReading(store: StoreName, [seq, timestamp, receivedAt, keyVersion, ...fields]: Row): MergedReading {
  return {
    store,
    seq: toUnsigned(seq),
    timestamp: toUnsigned(timestamp),
    receivedAt: Number(receivedAt),
    keyVersion: Number(keyVersion),
    fields,
  };
}

function orderOf(axis: Axis): (a: Position, b: Position) => number {
  const bySeq = (a: Position, b: Position) => compare(a.seq, b.seq);
  return axis === 'received' ? bySeq : (a, b) => compare(a.timestamp, b.timestamp) || bySeq(a, b);
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
