import type { StoreName } from '../../../../shared/protocol/codes.ts';
import { MAX_UINT64 } from '../../../../shared/protocol/uint64.ts';
import type { Position } from '../../reading.ts';
import type { Axis, MergedReading, PageOptions, ReadingFilter, Span } from '../../stores-view.ts';
import type { DeviceNumbers } from './devices.ts';
import type { ReadConnection } from './read-connection.ts';
import { countsOf, type Source, selectReadings, type Wanted } from './readings.ts';
import { FIELDS_WITHOUT_BYTES } from './rollup.ts';
import { type BoundedSpan, type Stretch, stretchesBefore, stretchesBetween, stretchesOf } from './stretches.ts';

/** A time and the fields, in the form that Sums accepts. */
export type FieldsRow = readonly [time: number, ...fields: unknown[]];

/**
 * Reads the readings of devices merged over both stores by (device, seq). If both stores have a reading, the private
 * one counts.
 */
export class MergedReadings {
  readonly #connection: ReadConnection;

  constructor(connection: ReadConnection) {
    this.#connection = connection;
  }

  /**
   * Returns the newest readings, newest first: by timestamp, or by seq on the axis 'received'; none beyond `to` on that
   * axis.
   */
  latest(numbers: DeviceNumbers, axis: Axis, limit: number, to: bigint = MAX_UINT64): MergedReading[] {
    const newestOf = (store: StoreName, from: bigint) =>
      this.#select(store, numbers, stretchesBetween(axis, from, to).reverse(), 'DESC', limit);
    const own = newestOf('private', 0n);
    // If the private list is full, older public readings can't be among the newest. Without this bound, a public store
    // with the same readings would be searched to its end.
    const oldest = own.length >= limit ? own.at(-1)! : null;
    const others = newestOf('public', oldest === null ? 0n : axis === 'timestamp' ? oldest.timestamp : oldest.seq);
    const compare = orderOf(axis);
    return [...own, ...others].sort((a, b) => compare(b, a)).slice(0, limit);
  }

  /**
   * Returns at most `limit` readings of a span in the order of its axis or in reverse, after a position (null: from the
   * start).
   */
  page(
    numbers: DeviceNumbers,
    span: Span,
    after: Position | null,
    limit: number,
    { order = 'ascending', filter = null, signedBy = null }: Omit<PageOptions, 'withSigned'> & Wanted = {},
  ): MergedReading[] {
    const wanted = { filter, signedBy };
    const isDescending = order === 'descending';
    const direction = isDescending ? 'DESC' : 'ASC';
    const stretches = (last: Position | null) =>
      isDescending ? stretchesBefore(span, after, last) : stretchesOf(span, after, last);
    const own = this.#select('private', numbers, stretches(null), direction, limit, wanted);
    const last = own.length >= limit ? own.at(-1)! : null;
    const others = this.#select('public', numbers, stretches(last), direction, limit, wanted);
    const compare = orderOf(span.axis);
    return [...own, ...others].sort(isDescending ? (a, b) => compare(b, a) : compare).slice(0, limit);
  }

  /** Returns the number of readings of a span, counted up to a limit. */
  count(numbers: DeviceNumbers, span: Span, limit: number, filter: ReadingFilter | null = null): number {
    let total = 0;
    for (const source of this.#knowing(numbers)) {
      const { where: counts, values: hidden } = countsOf(source, filter);
      for (const { index, where, values } of stretchesOf(span)) {
        if (total >= limit) return total;
        const sql = `SELECT count(*) FROM (SELECT 1 FROM @.readings r ${index}
          WHERE r.device = ? AND ${where}${counts} LIMIT ?)`;
        const statement = this.#connection.statement<[number]>(source.store, sql);
        total += statement.get(source.device, ...values, ...hidden, limit - total)![0];
      }
    }
    return total;
  }

  /** Returns the number of rows of a span in both stores, including hidden ones, counted up to a limit. */
  countRows(numbers: DeviceNumbers, span: Span, limit: number): number {
    let total = 0;
    for (const { store, device } of this.#knowing(numbers)) {
      for (const { index, where, values } of stretchesOf(span)) {
        const sql = `SELECT count(*) FROM (SELECT 1 FROM @.readings r ${index} WHERE r.device = ? AND ${where} LIMIT ?)`;
        total += this.#connection.statement<[number]>(store, sql).get(device, ...values, limit)![0];
      }
    }
    return Math.min(total, limit);
  }

  /** Returns the first and the last timestamp in either store between two (below 2^63), or null if there is none. */
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
        const row = this.#connection.statement<[bigint]>(store, sql, true).get(device, from, to);
        if (row !== undefined) found.push(row[0]);
      }
    }
    if (found.length === 0) return null;
    found.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    return { first: found[0]!, last: found.at(-1)! };
  }

  /**
   * Calls `visit` with each reading of a span, in no particular order: the time (on the span's axis), then the fields
   * in the form that Sums accepts. The span's times must be below 2^53. `from` limits it to readings of one store.
   */
  forEach(numbers: DeviceNumbers, span: BoundedSpan, visit: (row: FieldsRow) => void, from?: StoreName): void {
    const time = span.axis === 'timestamp' ? 'timestamp' : 'received_at';
    for (const source of this.#knowing(numbers)) {
      if (from !== undefined && source.store !== from) continue;
      const { where: counts, values: hidden } = countsOf(source);
      for (const { index, where, values } of stretchesOf(span)) {
        const sql = `SELECT ${time}, ${FIELDS_WITHOUT_BYTES} FROM @.readings r ${index}
          WHERE r.device = ? AND ${where}${counts}`;
        const statement = this.#connection.statement<FieldsRow>(source.store, sql);
        for (const row of statement.iterate(source.device, ...values, ...hidden)) visit(row);
      }
    }
  }

  /** Returns the stores that know a device, its number there, and its number in the store that hides readings there. */
  #knowing(numbers: DeviceNumbers): Source[] {
    return this.#connection.names.flatMap((store) => {
      const device = numbers[store];
      return device === null ? [] : [{ store, device, hiddenBy: store === 'public' ? numbers.private : null }];
    });
  }

  #select(
    from: StoreName,
    numbers: DeviceNumbers,
    stretches: readonly Stretch[],
    direction: 'ASC' | 'DESC',
    limit: number,
    wanted: Wanted = {},
  ): MergedReading[] {
    const source = this.#knowing(numbers).find(({ store }) => store === from);
    if (source === undefined) return [];
    const readings = selectReadings(this.#connection, source, stretches, direction, limit, wanted);
    return readings.map((reading) => ({ ...reading, store: from }));
  }
}

function orderOf(axis: Axis): (a: Position, b: Position) => number {
  const bySeq = (a: Position, b: Position) => compare(a.seq, b.seq);
  return axis === 'received' ? bySeq : (a, b) => compare(a.timestamp, b.timestamp) || bySeq(a, b);
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
