import { closeSync, existsSync, lstatSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import type { StoreName } from '../../../../shared/protocol/codes.ts';
import { StartError } from '../../../common/start-error.ts';
import { syncFile, syncFolder } from '../../../common/sync.ts';
import type { Durability } from '../../port.ts';
import { migrate, STORE_VERSION } from './migrations.ts';
import { checkWithoutTrace, refusal, refuseLogWithoutStore } from './store-check.ts';
import { logPathOf } from './write-ahead-log.ts';

const OPEN_TIMEOUT_MS = 5000;
/** Pages (4 KiB) in the write-ahead log before it is copied into the store. */
const WAL_AUTOCHECKPOINT_PAGES = 2000;
const WAL_KEPT_BYTES = 16 * 1024 ** 2;
/**
 * Pages that a connection keeps, in KiB. The 16 MB that better-sqlite3 is built with fill up as a store grows, once for each
 * connection; a miss costs little, for the system keeps the file's pages too.
 */
const WRITER_CACHE_KIB = 4096;
const READER_CACHE_KIB = 2048;

/**
 * Makes the store file where there is none, checks it and brings it to the present version.
 * Throws StartError, with the file untouched, where it is damaged, newer than this program, or not ours,
 * or beside the log of another one.
 */
export function prepareStore(path: string, name: StoreName): void {
  try {
    refuseLogWithoutStore(path);
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) createStore(path, name);
    else checkWithoutTrace(path, name);
    syncLog(path);
    const db = openForWriting(path, 'full');
    try {
      migrate(db, name);
    } finally {
      db.close();
    }
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw refusal(path, error);
  }
}

/** Has SQLite compact and sort in a folder, where the environment names none. */
export function keepScratchIn(folder: string): void {
  process.env.SQLITE_TMPDIR ??= folder;
}

/** The write connection of a store. Throws as better-sqlite3 does. */
export function openForWriting(path: string, durability: Durability): Database.Database {
  const db = new Database(path, { fileMustExist: true, timeout: OPEN_TIMEOUT_MS });
  db.pragma('journal_mode = WAL');
  db.pragma(`synchronous = ${durability}`);
  db.pragma('foreign_keys = ON');
  db.pragma(`wal_autocheckpoint = ${WAL_AUTOCHECKPOINT_PAGES}`);
  db.pragma(`journal_size_limit = ${WAL_KEPT_BYTES}`);
  db.pragma(`cache_size = -${WRITER_CACHE_KIB}`);
  return db;
}

/** A read connection of a store that has been prepared. Throws as better-sqlite3 does. */
export function openForReading(path: string): Database.Database {
  const db = new Database(path, { readonly: true, fileMustExist: true, timeout: 50 });
  db.pragma('query_only = ON');
  keepFewPages(db);
  return db;
}

/** Bounds what a read connection keeps of a file: of its own, or of one attached under a name. */
export function keepFewPages(db: Database.Database, name = 'main'): void {
  db.pragma(`${name}.cache_size = -${READER_CACHE_KIB}`);
}

/** The store appears under its name only when it is whole, so an empty file there is always damage. */
function createStore(path: string, name: StoreName): void {
  const unfinished = `${path}.new`;
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(unfinished + suffix, { force: true });
  closeSync(openSync(unfinished, 'wx', 0o600));
  const db = new Database(unfinished);
  try {
    db.pragma('synchronous = FULL');
    migrate(db, name);
    db.pragma('journal_mode = WAL');
  } finally {
    db.close();
  }
  syncFile(unfinished);
  renameSync(unfinished, path);
  syncFolder(dirname(path));
}

/**
 * Syncs what a node that was killed had written to the log and not synced: a block that is sent again is answered 200 as
 * a duplicate, for which nothing is written any more. Opening alone does so only where no other program has the store open.
 */
function syncLog(path: string): void {
  const log = logPathOf(path);
  if (existsSync(log)) syncFile(log);
}

/**
 * Advances the change counter in a store's header by rewriting `user_version` as it is. Done once through a connection that
 * is closed, and so in the store itself, then through the next, whose change begins the log of this run. By the counters a
 * copy from another run is told from the store that a log belongs to (see refuseForeignLog); where they can't be written
 * now, copies are told apart less surely.
 */
export function advanceChangeCounter(db: Database.Database): void {
  try {
    db.pragma(`user_version = ${STORE_VERSION}`);
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
  }
}
