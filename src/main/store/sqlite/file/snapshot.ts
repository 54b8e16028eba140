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

/** The version of the stores that this program writes; what is newer it can't read. */
export const NEWEST_VERSION = STORE_VERSION;

/** The bytes that a copy of a store takes at most. Throws StorageUnavailable. */
export function snapshotBytes(path: string): number {
  return readFile(path, (db) => {
    const [pages, bytes] = [db.pragma('page_count', { simple: true }), db.pragma('page_size', { simple: true })];
    return (pages as number) * (bytes as number);
  });
}

/** The version of a store as its file says, without opening it: null where there is no such file, or none of SQLite's. */
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

/** The version of a store. Throws StorageUnavailable. */
export function versionOfStore(path: string): number {
  return readFile(path, (db) => db.pragma('user_version', { simple: true }) as number);
}

/**
 * Copies a store as it is at one moment into a file that must not exist; others go on reading and writing meanwhile. Not
 * SQLite's backup API: it begins again with every commit. The calling thread waits. Throws StorageUnavailable.
 */
export function snapshotStore(path: string, to: string): void {
  // VACUUM INTO takes an empty file too: made here, it is its owner's alone.
  closeSync(openSync(to, 'wx', 0o600));
  readFile(path, (db) => db.prepare('VACUUM INTO ?').run(to));
}

/**
 * Checks all of a store and counts what is in it; one that is in use too, as it is at one moment. Throws an error that says
 * what is wrong with it, or StorageUnavailable.
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

/** The same for a copy that nobody else has open: it stays as it is, with nothing beside it. */
export function inspectCopy(path: string, name: StoreName): StoreContents {
  try {
    return inspectStore(path, name);
  } finally {
    // Reading a store in WAL mode makes these; a copy has no log of its own.
    for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
  }
}

/**
 * Returns the problem of a file that was copied with everything beside it; null if there is none, or if it is no
 * database. A log that a killed node left is part of the store, and is checked with it. The file stays as it is, with
 * nothing new beside it.
 */
export function problemOfCopy(path: string): string | null {
  if (!isDatabase(path)) return null;
  const hadLog = existsSync(logOf(path));
  const problem = readFile(path, (db) => (db.pragma('integrity_check(1)') as { integrity_check: string }[])[0]);
  // Reading a store in WAL mode makes a log and its index beside it.
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
