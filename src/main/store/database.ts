import { closeSync, existsSync, fsyncSync, lstatSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import Database from 'better-sqlite3';
import type { Destination } from '../../shared/protocol/codes.ts';
import type { Durability } from '../settings.ts';
import { StartError } from '../start-error.ts';
import { APPLICATION_IDS, migrate, STORE_VERSION } from './migrations.ts';

const SQLITE_MAGIC = 'SQLite format 3\0';
/** A store up to this size is checked page by page before it is used: some tenths of a second. */
const CHECKED_AT_START_BYTES = 64 * 1024 ** 2;
const OPEN_TIMEOUT_MS = 5000;
/** Pages (4 KiB) in the write-ahead log before it is copied into the store. */
const WAL_AUTOCHECKPOINT_PAGES = 2000;
const WAL_KEPT_BYTES = 16 * 1024 ** 2;

/**
 * Makes the store file where there is none, checks it and brings it to the present version.
 * Throws StartError, with the file untouched, where it is damaged, newer than this program, or not ours.
 */
export function prepareStore(path: string, destination: Destination): void {
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) createStore(path, destination);
    else checkWithoutTrace(path, destination);
    syncLog(path);
    const db = openForWriting(path, 'full');
    try {
      migrate(db, destination);
    } finally {
      db.close();
    }
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw refusal(path, error);
  }
}

/** The write connection of a store. Throws as better-sqlite3 does. */
export function openForWriting(path: string, durability: Durability): Database.Database {
  const db = new Database(path, { fileMustExist: true, timeout: OPEN_TIMEOUT_MS });
  db.pragma('journal_mode = WAL');
  db.pragma(`synchronous = ${durability}`);
  db.pragma('foreign_keys = ON');
  db.pragma(`wal_autocheckpoint = ${WAL_AUTOCHECKPOINT_PAGES}`);
  db.pragma(`journal_size_limit = ${WAL_KEPT_BYTES}`);
  return db;
}

/** A read connection of a store that has been prepared. Throws as better-sqlite3 does. */
export function openForReading(path: string): Database.Database {
  const db = new Database(path, { readonly: true, fileMustExist: true, timeout: 50 });
  db.pragma('query_only = ON');
  return db;
}

/** The store appears under its name only when it is whole, so an empty file there is always damage. */
function createStore(path: string, destination: Destination): void {
  const unfinished = `${path}.new`;
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(unfinished + suffix, { force: true });
  closeSync(openSync(unfinished, 'wx', 0o600));
  const db = new Database(unfinished);
  try {
    db.pragma('synchronous = FULL');
    migrate(db, destination);
    db.pragma('journal_mode = WAL');
  } finally {
    db.close();
  }
  syncFile(unfinished);
  renameSync(unfinished, path);
  syncFile(dirname(path));
}

/**
 * Syncs what a node that was killed had written to the log and not synced: a block that is sent again is answered 200 as
 * a duplicate, for which nothing is written any more. Opening alone does so only where no other program has the store open.
 */
function syncLog(path: string): void {
  if (existsSync(`${path}-wal`)) syncFile(`${path}-wal`);
}

function syncFile(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Looks at an existing file through a read-only connection, so that a refused file stays as it was found. */
function checkWithoutTrace(path: string, destination: Destination): void {
  if (!existsSync(path)) {
    throw new StartError(`${path} is a link to a file that is not there; mount its disk, or remove the link`);
  }
  const hadLog = existsSync(`${path}-wal`);
  try {
    checkStore(path, destination);
  } catch (error) {
    // Reading a store in WAL mode makes an empty log beside it.
    if (!hadLog) for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
    throw error;
  }
}

function checkStore(path: string, destination: Destination): void {
  const name = basename(path);
  const size = statSync(path).size;
  if (size === 0) throw damaged(path, 'it is empty');
  if (readMagic(path) !== SQLITE_MAGIC) throw damaged(path, 'it is not an SQLite file');
  const db = new Database(path, { readonly: true, timeout: OPEN_TIMEOUT_MS });
  try {
    const applicationId = db.pragma('application_id', { simple: true });
    if (applicationId === APPLICATION_IDS[destination === 'public' ? 'local' : 'public']) {
      const other = destination === 'public' ? 'private' : 'public';
      throw new StartError(
        `${path} is a ${other} store under the wrong name; nothing was changed; give it its own name`,
      );
    }
    if (applicationId !== APPLICATION_IDS[destination]) {
      throw new StartError(
        `${path} is not a Wellhouse store; nothing was changed; move it away or set another DATA_DIR`,
      );
    }
    const version = db.pragma('user_version', { simple: true }) as number;
    if (version > STORE_VERSION) {
      throw new StartError(
        `${path} was written by a newer Wellhouse (store version ${version}, this one knows ${STORE_VERSION}); ` +
          'nothing was changed; update Wellhouse, or set another DATA_DIR',
      );
    }
    const pageBytes = db.pragma('page_size', { simple: true }) as number;
    // A log that is still there may hold the rest: a power cut within a checkpoint leaves the store like this.
    if (size % pageBytes !== 0 && logIsEmpty(path)) throw damaged(path, 'its end is missing');
    if (size <= CHECKED_AT_START_BYTES) {
      const [problem] = db.pragma('quick_check(1)', { simple: false }) as { quick_check: string }[];
      if (problem?.quick_check !== 'ok') throw damaged(path, `${name}: ${problem?.quick_check ?? 'unreadable'}`);
    }
  } finally {
    db.close();
  }
}

function logIsEmpty(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0;
}

function readMagic(path: string): string {
  const fd = openSync(path, 'r');
  try {
    const head = Buffer.alloc(SQLITE_MAGIC.length);
    readSync(fd, head, 0, head.length, 0);
    return head.toString('latin1');
  } finally {
    closeSync(fd);
  }
}

function damaged(path: string, how: string): StartError {
  return new StartError(
    `the store ${path} is damaged (${how.replace(/\s+/g, ' ')}); nothing was changed; ` +
      'put a good copy in its place, or move it away to start with an empty store',
  );
}

/** What a failed opening means for the owner. */
function refusal(path: string, error: unknown): StartError {
  const code = error instanceof Database.SqliteError ? error.code : undefined;
  const message = error instanceof Error ? error.message : String(error);
  if (code === 'SQLITE_CORRUPT' || code === 'SQLITE_NOTADB') return damaged(path, message);
  if (code?.startsWith('SQLITE_BUSY')) {
    return new StartError(`the store ${path} is locked by another program; close that program and start again`);
  }
  return new StartError(
    `the store ${path} can't be opened (${message}); nothing was changed; check its folder and disk`,
  );
}
