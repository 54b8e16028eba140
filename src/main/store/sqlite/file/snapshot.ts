import { closeSync, existsSync, openSync, readSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { StoreName } from '../../../../shared/protocol/codes.ts';
import type { StoreContents } from '../../engine.ts';
import { reading } from './fault.ts';
import { APPLICATION_IDS, STORE_VERSION } from './migrations.ts';
import { isDatabase, logOf } from './names.ts';

const OPEN_TIMEOUT_MS = 5000;
// https://www.sqlite.org/fileformat2.html#the_database_header
const HEADER_BYTES = 100;
const VERSION_OFFSET = 60;

/** The version of the stores that this program writes. It can't read newer ones. */
export const NEWEST_VERSION = STORE_VERSION;

/** Returns the maximum size of a copy of a store, in bytes. Throws StorageUnavailable. */
export function snapshotBytes(path: string): number {
  return readFile(path, (db) => {
    const [pages, bytes] = [db.pragma('page_count', { simple: true }), db.pragma('page_size', { simple: true })];
    return (pages as number) * (bytes as number);
  });
}

/**
 * Returns the version in a store's file header, without opening the store; null if the file is missing or not an SQLite
 * file.
 */
export function versionInHeader(path: string): number | null {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return null;
  }
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    const isWhole = readSync(file, header, 0, HEADER_BYTES, 0) === HEADER_BYTES;
    return isWhole && header.toString('latin1', 0, 15) === 'SQLite format 3'
      ? header.readUInt32BE(VERSION_OFFSET)
      : null;
  } finally {
    closeSync(file);
  }
}

/** Returns the version of a store. Throws StorageUnavailable. */
export function versionOfStore(path: string): number {
  return readFile(path, (db) => db.pragma('user_version', { simple: true }) as number);
}

/**
 * Copies a store as of one moment into a new file. Others can read and write the store meanwhile. SQLite's backup API
 * is not used because it restarts with every commit. Blocks the calling thread. Throws StorageUnavailable.
 */
export function snapshotStore(path: string, to: string): void {
  // VACUUM INTO accepts an empty file. Created here, the file is readable only by its owner.
  closeSync(openSync(to, 'wx', 0o600));
  readFile(path, (db) => db.prepare('VACUUM INTO ?').run(to));
}

/**
 * Checks a whole store and counts its contents. A store in use is checked as of one moment. Throws an error that names
 * the problem, or StorageUnavailable.
 */
export function inspectStore(path: string, name: StoreName): StoreContents {
  return readFile(path, (db) => {
    db.exec('BEGIN');
    if (db.pragma('application_id', { simple: true }) !== APPLICATION_IDS[name])
      throw new Error(`it is not a ${name} store`);
    const problems = db.pragma('integrity_check(1)') as { integrity_check: string }[];
    if (problems[0]?.integrity_check !== 'ok') throw new Error(problems[0]?.integrity_check ?? 'unreadable');
    const orphans = db.pragma('foreign_key_check') as unknown[];
    if (orphans.length > 0) throw new Error('rows refer to missing rows');
    return contentsOf(db);
  });
}

/** Does the same for a copy that nobody else has open. The copy stays unchanged, with no new files next to it. */
export function inspectCopy(path: string, name: StoreName): StoreContents {
  try {
    return inspectStore(path, name);
  } finally {
    // Reading a store in WAL mode creates these files; a copy has no log of its own.
    for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
  }
}

/**
 * Returns the problem of a file that was copied together with its log; null if there is none, or if the file is not a
 * database. A log that a killed node left is part of the store, and is checked with it. The file stays unchanged, with
 * no new files next to it.
 */
export function problemOfCopy(path: string): string | null {
  if (!isDatabase(path)) return null;
  const hadLog = existsSync(logOf(path));
  const problem = readFile(path, (db) => (db.pragma('integrity_check(1)') as { integrity_check: string }[])[0]);
  // Reading a store in WAL mode creates a log and its index.
  rmSync(`${path}-shm`, { force: true });
  if (!hadLog) rmSync(logOf(path), { force: true });
  return problem?.integrity_check === 'ok' ? null : (problem?.integrity_check ?? 'unreadable');
}

function contentsOf(db: Database.Database): StoreContents {
  const tables = db
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .pluck()
    .all();
  const rows = Object.fromEntries(tables.map((table) => [table, countOf(db, table)]));
  const last = db.prepare('SELECT max(received_at) FROM readings').pluck();
  return {
    version: db.pragma('user_version', { simple: true }) as number,
    devices: rows.devices ?? 0,
    readings: rows.readings ?? 0,
    lastReceivedAt: last.get() as number | null,
    rows,
  };
}

function countOf(db: Database.Database, table: string): number {
  return db
    .prepare(`SELECT count(*) FROM "${table.replaceAll('"', '""')}"`)
    .pluck()
    .get() as number;
}

function readFile<T>(path: string, run: (db: Database.Database) => T): T {
  return reading(() => {
    const db = new Database(path, { readonly: true, fileMustExist: true, timeout: OPEN_TIMEOUT_MS });
    try {
      return run(db);
    } finally {
      db.close();
    }
  });
}
