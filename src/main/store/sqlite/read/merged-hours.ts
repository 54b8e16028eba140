import type { StoreName } from '../../../../shared/protocol/codes.ts';
import { FIELD_NAMES, type FieldName } from '../../../../shared/protocol/fields.ts';
import { HOUR_MS } from '../../counts.ts';
import type { HeldCounts } from '../../stores-view.ts';
import { Sums } from '../../sums.ts';
import { FIELD_COLUMNS, ROLLUP_FIELD_COLUMNS } from '../file/columns.ts';
import { timestampsOfHour } from '../file/unsigned.ts';
import type { DeviceNumbers } from './devices.ts';
import type { MergedReadings } from './merged-readings.ts';
import type { ReadConnection } from './read-connection.ts';
import { addStored } from './rollup.ts';

type HourRow = [hour: number, readings: number, seqHash: number, ...fields: (number | null)[]];

const HOURS_SQL = `SELECT hour, readings, seq_hash, ${ROLLUP_FIELD_COLUMNS.join(', ')} FROM @.hourly_rollups
  WHERE device = ? AND hour BETWEEN ? AND ?`;
const DIRTY_SQL = 'SELECT hour FROM @.dirty_hours WHERE device = ? AND hour BETWEEN ? AND ?';
/**
 * The number of readings of the private store among the seqs of an hour of the public one; -1 if the seqs lie on both
 * sides of 2^63, for which this query does not work.
 */
const OVERLAP_SQL = `SELECT iif((h.seq_min < 0) = (h.seq_max < 0),
    (SELECT count(*) FROM main.readings p WHERE p.device = ? AND p.seq BETWEEN h.seq_min AND h.seq_max), -1)
  FROM @.hourly_rollups h WHERE h.device = ? AND h.hour = ?`;
const IS_CLEAN = 'NOT EXISTS (SELECT 1 FROM @.dirty_hours d WHERE d.device = h.device AND d.hour = h.hour)';
const ARRIVALS_SQL = `SELECT min(received_min), max(iif(received_max <= ?, received_max, received_min))
  FROM @.hourly_rollups h WHERE device = ? AND received_min <= ? AND ${IS_CLEAN}`;
const HELD_SQL = `SELECT ${['readings', ...FIELD_COLUMNS.flatMap((name) => [`${name}_count`, `${name}_sealed`])]
  .map((column) => `coalesce(sum(${column}), 0)`)
  .join(', ')} FROM @.hourly_rollups h WHERE device = ? AND ${IS_CLEAN}`;
/** The readings of dirty hours as SQL: an hour's timestamps lie below 2^63, above it (negative), or on both sides. */
const TURN = 2n ** 63n / BigInt(HOUR_MS);
const AFTER_TURN = BigInt.asIntN(64, (TURN + 1n) * BigInt(HOUR_MS));
const READINGS_OF_DIRTY_HOURS = [
  { hours: `< ${TURN}`, isNegative: 0, from: `h.hour * ${HOUR_MS}`, to: `h.hour * ${HOUR_MS} + ${HOUR_MS - 1}` },
  ...timestampsOfHour(Number(TURN)).map((range) => ({ hours: `= ${TURN}`, ...range })),
  {
    hours: `> ${TURN}`,
    isNegative: 1,
    from: `(h.hour - ${TURN + 1n}) * ${HOUR_MS} + ${AFTER_TURN}`,
    to: `(h.hour - ${TURN + 1n}) * ${HOUR_MS} + ${AFTER_TURN + BigInt(HOUR_MS - 1)}`,
  },
].map(
  ({ hours, isNegative, from, to }) => `@.dirty_hours h CROSS JOIN @.readings r INDEXED BY readings_by_time
  ON r.device = h.device AND (r.timestamp < 0) = ${isNegative} AND r.timestamp BETWEEN ${from} AND ${to}
  WHERE h.device = ? AND h.hour ${hours}`,
);
const DIRTY_ARRIVALS_SQL = READINGS_OF_DIRTY_HOURS.map(
  (readings) => `SELECT min(r.received_at), max(r.received_at) FROM ${readings} AND r.received_at <= ?`,
);
const DIRTY_HELD_SQL = READINGS_OF_DIRTY_HOURS.map(
  (readings) =>
    `SELECT count(*), ${FIELD_COLUMNS.map((name) => {
      const sealed = `count(*) FILTER (WHERE typeof(r.${name}) = 'blob')`;
      return `count(r.${name}) - ${sealed}, ${sealed}`;
    }).join(', ')} FROM ${readings}`,
);
const FIELDS_AT = 3;
const MAX_CACHED_HOURS = 20_000;

/**
 * Reads the hourly sums of devices, merged over both stores. The result is the same as adding up the merged readings of
 * each hour: an hour is added up again if its sums are outdated, or if the stores have different readings in it.
 */
export class MergedHours {
  readonly #connection: ReadConnection;
  readonly #readings: MergedReadings;
  /**
   * Merged sums of hours in which the stores differ, by device, hour and the counts of each store. Readings are only
   * ever added, so equal counts mean equal readings.
   */
  readonly #merged = new Map<string, Sums>();

  constructor(connection: ReadConnection, readings: MergedReadings) {
    this.#connection = connection;
    this.#readings = readings;
  }

  /**
   * Adds the sums of each hour with readings to `target(hour)`. Hours (of the timestamp, since 1970) are `from` to
   * `to`, both inclusive.
   */
  addTo(numbers: DeviceNumbers, from: number, to: number, target: (hour: number) => Sums): void {
    if (from > to) return;
    const dirty = new Set<number>();
    for (const store of this.#connection.names) {
      for (const [hour] of this.#all<[number]>(store, DIRTY_SQL, numbers, from, to)) dirty.add(hour);
    }
    for (const hour of dirty) {
      const sums = this.#addUp(numbers, hour);
      if (sums.readings > 0) target(hour).add(sums);
    }
    const others = new Map<number, HourRow>();
    for (const row of this.#all<HourRow>('public', HOURS_SQL, numbers, from, to)) others.set(row[0], row);
    for (const row of this.#all<HourRow>('private', HOURS_SQL, numbers, from, to)) {
      if (dirty.has(row[0])) continue;
      const other = others.get(row[0]);
      others.delete(row[0]);
      if (other === undefined || isSame(row, other)) addStored(target(row[0]), row[1], row, FIELDS_AT);
      else target(row[0]).add(this.#merge(numbers, row, other));
    }
    for (const [hour, other] of others) {
      if (dirty.has(hour)) continue;
      const sums = numbers.private === null ? toSums(other) : this.#merge(numbers, null, other);
      if (sums.readings > 0) target(hour).add(sums);
    }
  }

  /**
   * Returns the latest hour between two in which either store has a value of a field, or null. A value in the public
   * store may belong to a reading that the private store has without it.
   */
  latestWith(field: FieldName, numbers: DeviceNumbers, from: number, to: number): number | null {
    const name = FIELD_COLUMNS[FIELD_NAMES.indexOf(field)]!;
    const inClean = `SELECT hour FROM @.hourly_rollups WHERE device = ? AND hour BETWEEN ? AND ?
      AND (${name}_count > 0 OR ${name}_sealed > 0) ORDER BY hour DESC LIMIT 1`;
    const inDirty = `SELECT h.hour FROM @.dirty_hours h WHERE h.device = ? AND h.hour BETWEEN ? AND ? AND EXISTS (
        SELECT 1 FROM @.readings r INDEXED BY readings_by_time WHERE r.device = h.device AND (r.timestamp < 0) = 0
        AND r.timestamp BETWEEN h.hour * ${HOUR_MS} AND h.hour * ${HOUR_MS} + ${HOUR_MS - 1} AND r.${name} IS NOT NULL
      ) ORDER BY h.hour DESC LIMIT 1`;
    const found = this.#connection.names.flatMap((store) =>
      [inClean, inDirty].flatMap((sql) => this.#all<[number]>(store, sql, numbers, from, to).map(([hour]) => hour)),
    );
    return found.length === 0 ? null : Math.max(...found);
  }

  /** Returns when the first and the latest reading of a device arrived, up to a time; null if it has none. */
  arrivals(numbers: DeviceNumbers, until: number): { readonly first: number; readonly last: number } | null {
    let first = Number.POSITIVE_INFINITY;
    let last = Number.NEGATIVE_INFINITY;
    for (const store of this.#connection.names) {
      const device = numbers[store];
      if (device === null) continue;
      const asked = [[ARRIVALS_SQL, until, device, until], ...DIRTY_ARRIVALS_SQL.map((sql) => [sql, device, until])];
      for (const [sql, ...values] of asked) {
        const statement = this.#connection.statement<[number | null, number | null]>(store, sql as string);
        const [from, to] = statement.get(...values)!;
        if (from !== null && from < first) first = from;
        if (to !== null && to > last) last = to;
      }
    }
    return last < first ? null : { first, last };
  }

  /** Returns the counts of one store for a device: readings, and plain and sealed values of each field. */
  heldIn(store: StoreName, device: number): Omit<HeldCounts, 'store'> {
    const rows = [HELD_SQL, ...DIRTY_HELD_SQL].map(
      (sql) => this.#connection.statement<number[]>(store, sql).get(device)!,
    );
    const total = (column: number) => rows.reduce((sum, row) => sum + row[column]!, 0);
    const fields = FIELD_NAMES.map((name, index) => {
      return [name, { plain: total(1 + 2 * index), sealed: total(2 + 2 * index) }] as const;
    });
    return { count: total(0), fields: Object.fromEntries(fields) as HeldCounts['fields'] };
  }

  #all<Row>(store: StoreName, sql: string, numbers: DeviceNumbers, from: number, to: number): Row[] {
    const device = numbers[store];
    if (device === null || !this.#connection.names.includes(store)) return [];
    return this.#connection.statement<Row>(store, sql).all(device, from, to);
  }

  /**
   * Returns the sums of an hour in which the stores differ: those of the private store, plus the readings that only the
   * public store has.
   */
  #merge(numbers: DeviceNumbers, own: HourRow | null, other: HourRow): Sums {
    const hour = other[0];
    const statement = this.#connection.statement<[number]>('public', OVERLAP_SQL);
    const [overlap] = statement.get(numbers.private, numbers.public, hour)!;
    const key = [numbers.private, numbers.public, hour, own?.[1], own?.[2], other[1], other[2], overlap].join();
    let sums = overlap < 0 ? undefined : this.#merged.get(key);
    if (sums === undefined) {
      sums = own === null ? new Sums() : toSums(own);
      if (overlap === 0) sums.add(toSums(other));
      else this.#addReadings(sums, numbers, hour, 'public');
      if (this.#merged.size >= MAX_CACHED_HOURS) this.#merged.clear();
      this.#merged.set(key, sums);
    }
    return sums;
  }

  #addUp(numbers: DeviceNumbers, hour: number): Sums {
    const sums = new Sums();
    this.#addReadings(sums, numbers, hour);
    return sums;
  }

  #addReadings(sums: Sums, numbers: DeviceNumbers, hour: number, store?: StoreName): void {
    const from = BigInt(hour) * BigInt(HOUR_MS);
    const span = { axis: 'timestamp', from, to: from + BigInt(HOUR_MS - 1) } as const;
    this.#readings.forEach(numbers, span, (row) => sums.addValues(row, 1), store);
  }
}

function isSame(a: HourRow, b: HourRow): boolean {
  return a[1] === b[1] && a[2] === b[2];
}

function toSums(row: HourRow): Sums {
  const sums = new Sums();
  addStored(sums, row[1], row, FIELDS_AT);
  return sums;
}
