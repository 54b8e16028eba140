import { renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import { StartError } from '../../../common/start-error.ts';
import { syncFile, syncFolder } from '../../../common/sync.ts';
import type { Movable, StoreLocation } from '../../engine.ts';
import {
  type Cell,
  DEVICE_CELLS,
  READING_CELLS,
  type Row,
  type StoreRows,
  TABLES,
  type TableName,
} from '../../rows.ts';
import { FIELD_COLUMNS } from './columns.ts';
import { openForReading, openForWriting } from './database.ts';
import { logOf, madeAtOpeningOf } from './names.ts';
import { toSigned, toUnsigned } from './unsigned.ts';

/** The names of tables and columns, in the order of a row's cells. Other tables are read as they were created. */
const KEPT: Partial<Record<TableName, { readonly table: string; readonly columns: readonly string[] }>> = {
  owners: { table: 'users', columns: ['id', 'name', 'phone', 'email', 'website', 'bio', 'created_at'] },
  devices: { table: 'devices', columns: DEVICE_CELLS },
  readings: {
    table: 'readings',
    columns: [...READING_CELLS.slice(0, 5), ...FIELD_COLUMNS, ...READING_CELLS.slice(5 + FIELD_COLUMNS.length)],
  },
  unregistered: {
    table: 'unregistered_devices',
    columns: ['id', 'attempts', 'first_at', 'last_at', 'last_error'],
  },
  outcomes: { table: 'hourly_counts', columns: ['hour', 'outcome', 'count'] },
};
const [SEQ, TIMESTAMP, SIGNED] = ['seq', 'timestamp', 'signed'].map((name) => READING_CELLS.indexOf(name));
const FIRST_NEGATIVE = -(2n ** 63n);

/** Moves stores that are files. */
export const SQLITE_ROWS: Movable = {
  open: async (path, access) =>
    new SqliteRows(access === 'read' ? openForReading(path) : openForWriting(path, 'normal')),
  unfinished: (path) => `${path}.new-move` as StoreLocation,
  place: async (unfinished, path) => {
    const db = openForWriting(unfinished, 'full');
    try {
      // The sums are made again. If a reading was deleted during the move, its leaf is marked as deleted.
      db.exec(`INSERT OR IGNORE INTO log_state VALUES (1, 0);
        INSERT OR IGNORE INTO dirty_hours (device, hour)
          SELECT DISTINCT device, ((timestamp >> 1) & 9223372036854775807) / 1800000 FROM readings;
        UPDATE log_leaves SET is_deleted = 1 WHERE NOT is_deleted
          AND NOT EXISTS (SELECT 1 FROM readings WHERE readings.entry = log_leaves.entry)
          AND NOT EXISTS (SELECT 1 FROM log_entries WHERE log_entries.entry = log_leaves.entry);`);
      db.pragma('wal_checkpoint(TRUNCATE)');
    } finally {
      db.close();
    }
    syncFile(unfinished);
    renameSync(unfinished, path);
    for (const beside of [logOf(unfinished), madeAtOpeningOf(unfinished)]) rmSync(beside, { force: true });
    syncFolder(dirname(path));
  },
};

class SqliteRows implements StoreRows {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
    // Removes the row that a new store begins with.
    if (!db.readonly && this.#isFresh()) db.exec('DELETE FROM log_state');
  }

  async read(table: TableName, after: Row | null, limit: number): Promise<Row[]> {
    if (table === 'readings') return this.#readings(after, limit);
    const { name, columns } = this.#kept(table);
    const keys = columns.slice(0, TABLES[table]);
    const behind = `(${keys.join(', ')}) > (${keys.map(() => '?').join(', ')})`;
    const where = after === null ? '' : `WHERE ${behind}`;
    const sql = `SELECT ${columns.join(', ')} FROM ${name} ${where} ORDER BY ${keys.join(', ')} LIMIT ?`;
    const rows = this.#select(sql, [...(after ?? []), limit]);
    return table === 'devices' ? rows.map((row) => withLocation(row, toUnsigned)) : rows;
  }

  async insert(table: TableName, rows: readonly Row[]): Promise<void> {
    const { name, columns } = this.#kept(table);
    const insert = this.#db.prepare(
      `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    );
    try {
      this.#db.transaction(() => {
        for (const row of rows) insert.run(...storedRow(table, row));
      })();
    } catch (error) {
      if (!String((error as { code?: unknown }).code).startsWith('SQLITE_CONSTRAINT')) throw error;
      throw new StartError(
        `rows of ${table} do not fit the copy (${(error as Error).message}): the store was changed meanwhile; stop every node that uses it, then run this again`,
      );
    }
  }

  async close(): Promise<void> {
    this.#db.close();
  }

  /** Returns readings in the order of unsigned seqs, device by device. */
  #readings(after: Row | null, limit: number): Row[] {
    const rows: Row[] = [];
    let [device, seq] = (after as [bigint, bigint] | null) ?? [-1n, null];
    const { columns } = this.#kept('readings');
    const select = `SELECT ${columns.join(', ')} FROM readings WHERE device = ? AND seq`;
    while (rows.length < limit) {
      if (seq !== null) {
        if (seq < 2n ** 63n) {
          rows.push(
            ...this.#select(`${select} > ? AND seq >= 0 ORDER BY seq LIMIT ?`, [device, seq, limit - rows.length]),
          );
        }
        const from = seq < 2n ** 63n ? FIRST_NEGATIVE : toSigned(seq) + 1n;
        rows.push(
          ...this.#select(`${select} >= ? AND seq < 0 ORDER BY seq LIMIT ?`, [device, from, limit - rows.length]),
        );
        if (rows.length >= limit) break;
      }
      const [next] = this.#select('SELECT device FROM devices WHERE device > ? ORDER BY device LIMIT 1', [device]);
      if (next === undefined) break;
      device = next[0] as bigint;
      seq = -1n;
    }
    return rows.map((row) =>
      row.map((cell, at) => {
        if (at === SEQ || at === TIMESTAMP) return toUnsigned(cell as bigint);
        return at === SIGNED && typeof cell === 'number' ? BigInt(cell) : cell;
      }),
    );
  }

  #isFresh(): boolean {
    return this.#select('SELECT 1 FROM devices UNION ALL SELECT 1 FROM log_leaves LIMIT 1', []).length === 0;
  }

  #kept(table: TableName): { readonly name: string; readonly columns: readonly string[] } {
    const kept = KEPT[table];
    if (kept !== undefined) return { name: kept.table, columns: kept.columns };
    const columns = this.#db.prepare<[], { name: string }>(`SELECT name FROM pragma_table_info('${table}')`).all();
    return { name: table, columns: columns.map(({ name }) => name) };
  }

  #select(sql: string, values: readonly Cell[] | readonly unknown[]): Row[] {
    return this.#db
      .prepare<unknown[], Cell[]>(sql)
      .raw()
      .safeIntegers()
      .all(...values);
  }
}

function storedRow(table: TableName, row: Row): Row {
  if (table === 'devices') return withLocation(row, toSigned);
  if (table !== 'readings') return row;
  return row.map((cell, at) => {
    if (at === SEQ || at === TIMESTAMP) return toSigned(cell as bigint);
    // The writer stores it in this form.
    return at === SIGNED && typeof cell === 'bigint' ? Number(cell) : cell;
  });
}

const LOCATION = DEVICE_CELLS.indexOf('location');

function withLocation(row: Row, change: (value: bigint) => bigint): Row {
  return row.map((cell, at) => (at === LOCATION && typeof cell === 'bigint' ? change(cell) : cell));
}
