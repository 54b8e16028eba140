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
/** The size of the write-ahead log, in pages of 4 KiB, at which it is copied into the store. */
const WAL_AUTOCHECKPOINT_PAGES = 2000;
const WAL_KEPT_BYTES = 16 * 1024 ** 2;
/**
 * The page cache of a connection, in KiB. The default of better-sqlite3, 16 MB, fills up for each connection as a store
 * grows. A miss costs little because the system caches the file's pages too.
 */
const WRITER_CACHE_KIB = 4096;
const READER_CACHE_KIB = 2048;

/**
 * Creates the store file if there is none, checks it and brings it to the present version. Throws StartError, and
 * leaves the file unchanged, if it is damaged, newer than this program, not a Wellhouse store, or next to the log of
 * another store.
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

/** Makes SQLite put its temporary files into a folder, unless the environment names one. */
export function keepScratchIn(folder: string): void {
  process.env.SQLITE_TMPDIR ??= folder;
}

/** Opens the write connection of a store. Throws like better-sqlite3. */
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

/** Opens a read connection of a prepared store. Throws like better-sqlite3. */
export function openForReading(path: string): Database.Database {
  const db = new Database(path, { readonly: true, fileMustExist: true, timeout: 50 });
  db.pragma('query_only = ON');
  keepFewPages(db);
  return db;
}

/** Limits the page cache of a read connection for its own file, or for a file attached under a name. */
export function keepFewPages(db: Database.Database, name = 'main'): void {
  db.pragma(`${name}.cache_size = -${READER_CACHE_KIB}`);
}

/** The store gets its name only when it is complete, so an empty file with that name is always damaged. */
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
 * Syncs what a killed node had written to the log without a sync. A block that is sent again is answered 200 as a
 * duplicate, and nothing is written for it any more. Opening the store syncs the log only if no other program has it
 * open.
 */
function syncLog(path: string): void {
  const log = logPathOf(path);
  if (existsSync(log)) syncFile(log);
}

/**
 * Advances the change counter in a store's header by rewriting `user_version` unchanged. It is called first on a
 * connection that is then closed, so that the change reaches the store itself, and then on the next connection, whose
 * change begins the log of this run. The counters show whether a log belongs to this copy of the store (see
 * refuseForeignLog). If they can't be written now, that check is less reliable.
 */
export function advanceChangeCounter(db: Database.Database): void {
  try {
    db.pragma(`user_version = ${STORE_VERSION}`);
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
  }
}
