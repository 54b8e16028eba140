import type { StoreName } from '../../../../shared/protocol/codes.ts';
import type { HoursHeld, RowBytes } from '../../stores-view.ts';
import type { ReadConnection } from './read-connection.ts';

/** Enough for an estimate: a device's readings are alike. */
const READINGS_SAMPLED = 100;
const HOURS_SAMPLED = 20;
const READINGS_SQL = `SELECT * FROM @.readings WHERE device = ? ORDER BY seq DESC LIMIT ${READINGS_SAMPLED}`;
const ROLLUPS_SQL = `SELECT * FROM @.hourly_rollups WHERE device = ? ORDER BY hour DESC LIMIT ${HOURS_SAMPLED}`;
const RETAINED_SQL = `SELECT * FROM @.retained_hours WHERE device = ? ORDER BY hour DESC LIMIT ${HOURS_SAMPLED}`;
const ROLLUP_COUNT_SQL = 'SELECT count(*) FROM @.hourly_rollups WHERE device = ?';
const RETAINED_COUNT_SQL = 'SELECT count(*) FROM @.retained_hours WHERE device = ?';
const HOURS_SQL = `SELECT count(*), coalesce(sum(readings), 0), min(hour) FROM @.hourly_rollups
  WHERE device = ? AND hour >= ? AND hour < ?`;
const LOG_SQL = 'SELECT size FROM @.log_state WHERE row = 1';
const TABLES_SQL = 'SELECT count(*) FROM @.sqlite_schema WHERE rootpage > 0';
/** The pointer of a cell and the length of its payload. */
const CELL_BYTES = 4;
/** The size of a leaf's hash in full pages, with its share of the hashes above it. */
const LEAF_BYTES = 43;
const LARGEST_OF_BYTES = [2 ** 7, 2 ** 15, 2 ** 23, 2 ** 31, 2 ** 47] as const;
const INTEGER_BYTES = [1, 2, 3, 4, 6] as const;
/** New rows leave at least this much free space in their pages, even if compacting has just filled all pages. */
const LEAST_PER_BYTE = 1.14;
/** The ratio of page size to contents after compacting. */
const FULL_PER_BYTE = 1.04;
/** Pages are at least half full, except for a few at the edges. */
const MOST_PER_BYTE = 3;

type Value = number | null | Buffer;

/** A device in a store and the number of its readings there. */
export interface HeldDevice {
  readonly id: string;
  readonly device: number;
  readonly readings: number;
}

/**
 * Returns the bytes that rows take in a store's file: the length of a sample, times the overhead of used pages (free
 * space for later rows, inner pages of the tree). So the space of deleted rows does not count.
 */
export function rowBytesOf(connection: ReadConnection, store: StoreName, held: readonly HeldDevice[]): RowBytes {
  const { devices, contents } = contentsOf(connection, store, held);
  const tables = tablesOf(connection, store);
  const { usedBytes, pageBytes } = connection.pages(store);
  const found =
    contents === 0 ? 1 : Math.max(1, (usedBytes - logBytesOf(connection, store) - tables * pageBytes) / contents);
  const perByte = Math.min(MOST_PER_BYTE, Math.max(LEAST_PER_BYTE, found));
  const packed = Math.min(1, found / perByte);
  return new Map(
    devices.map(({ id, reading, rollup, retainedHour }) => [
      id,
      {
        reading: reading * perByte,
        hour: rollup * perByte,
        // The same sums without the four columns on seqs and arrivals.
        retainedHour: (retainedHour || rollup * 0.85) * perByte,
        packed,
        leaf: LEAF_BYTES,
      },
    ]),
  );
}

/**
 * Returns the size of a compact copy of a store, in bytes: its rows in full pages, the log, and a page per table. Never
 * more than the store itself.
 */
export function copyBytesOf(connection: ReadConnection, store: StoreName, held: readonly HeldDevice[]): number {
  const { usedBytes, pageBytes } = connection.pages(store);
  const { contents } = contentsOf(connection, store, held);
  return Math.min(
    usedBytes,
    Math.round(contents * FULL_PER_BYTE) + logBytesOf(connection, store) + tablesOf(connection, store) * pageBytes,
  );
}

/** Returns the size of all rows of devices, in bytes, from a sample of each. */
function contentsOf(connection: ReadConnection, store: StoreName, held: readonly HeldDevice[]) {
  const lengths = (sql: string, device: number) => {
    const statement = connection.statement<Value[]>(store, sql);
    const isReal = statement.columns().map(({ type }) => type === 'REAL');
    const entryAt = statement.columns().findIndex(({ name }) => name === 'entry');
    return { rows: statement.all(device), length: (row: readonly Value[]) => rowLength(row, isReal), entryAt };
  };
  const count = (sql: string, device: number) => connection.statement<[number]>(store, sql).get(device)![0];
  const devices = held.map(({ id, device, readings }) => {
    const [sampled, rollups, retained] = [READINGS_SQL, ROLLUPS_SQL, RETAINED_SQL].map((sql) => lengths(sql, device));
    const reading = mean(sampled!.rows, (row) => sampled!.length(row) + indexLength(row, sampled!.entryAt));
    return {
      ...{ id, readings, reading },
      ...{ rollups: count(ROLLUP_COUNT_SQL, device), rollup: mean(rollups!.rows, rollups!.length) },
      ...{ retained: count(RETAINED_COUNT_SQL, device), retainedHour: mean(retained!.rows, retained!.length) },
    };
  });
  const contents = devices.reduce(
    (sum, each) => sum + each.readings * each.reading + each.rollups * each.rollup + each.retained * each.retainedHour,
    0,
  );
  return { devices, contents };
}

/** Returns the size of the log's hashes, which stay when their readings are deleted. */
function logBytesOf(connection: ReadConnection, store: StoreName): number {
  return (connection.statement<[number]>(store, LOG_SQL).get()?.[0] ?? 0) * LEAF_BYTES;
}

const tablesOf = (connection: ReadConnection, store: StoreName): number =>
  connection.statement<[number]>(store, TABLES_SQL).get()![0];

/** Returns the sums that a store has of the hours from `from` to `to` (exclusive). */
export function hoursHeldOf(
  connection: ReadConnection,
  store: StoreName,
  device: number,
  from: number,
  to: number,
): HoursHeld {
  const statement = connection.statement<[hours: number, readings: number, firstHour: number | null]>(store, HOURS_SQL);
  const [hours, readings, firstHour] = statement.get(device, from, to)!;
  return { hours, readings, firstHour };
}

/** Returns the bytes of a reading's entries in the indexes by time and by entry. */
function indexLength(row: readonly Value[], entryAt: number): number {
  const [device, seq, timestamp] = row as readonly [number, number, number];
  const entry = row[entryAt] ?? null;
  return rowLength([device, 0, timestamp, 0, seq], []) + (entry === null ? 0 : rowLength([entry, device, seq], []));
}

/** Returns the bytes of a row in SQLite's record format. In a REAL column, whole numbers count as 8 bytes too. */
function rowLength(row: readonly Value[], isReal: readonly boolean[]): number {
  return row.reduce<number>((sum, value, column) => sum + 1 + valueBytes(value, isReal[column] === true), CELL_BYTES);
}

function valueBytes(value: Value, isReal: boolean): number {
  if (value === null) return 0;
  if (typeof value !== 'number') return value.length;
  if (isReal) return 8;
  if (value === 0 || value === 1) return 0;
  const magnitude = value < 0 ? -value - 1 : value;
  const place = LARGEST_OF_BYTES.findIndex((largest) => magnitude < largest);
  return INTEGER_BYTES[place] ?? 8;
}

function mean<T>(rows: readonly T[], of: (row: T) => number): number {
  return rows.length === 0 ? 0 : rows.reduce((sum, row) => sum + of(row), 0) / rows.length;
}
