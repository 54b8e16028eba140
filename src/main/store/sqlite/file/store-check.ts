import { closeSync, existsSync, lstatSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import type { StoreName } from '../../../../shared/protocol/codes.ts';
import { StartError } from '../../../common/start-error.ts';
import { APPLICATION_IDS, STORE_VERSION } from './migrations.ts';
import { CHANGE_COUNTER_OFFSET, hasLog, logPathOf, readLog } from './write-ahead-log.ts';

const SQLITE_MAGIC = 'SQLite format 3\0';
const HEADER_BYTES = 100;
/**
 * The value of the change counter when the header's size and version were last written. From SQLite 3.7 on it equals
 * the change counter.
 */
const VALID_FOR_OFFSET = 92;
/** SQLite locks bytes from this offset on, and never uses the page that contains them. */
const LOCK_BYTES_AT = 2 ** 30;
/** A store up to this size is checked page by page before it is used, which takes a few tenths of a second. */
const CHECKED_AT_START_BYTES = 64 * 1024 ** 2;
const OPEN_TIMEOUT_MS = 5000;

/**
 * Refuses a log without a store: a new store would adopt the log, and the readings of the lost store would be lost too.
 */
export function refuseLogWithoutStore(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined || !hasLog(path)) return;
  throw new StartError(
    `the store ${path} is missing, but its log ${logPathOf(path)}, which may contain the newest readings, exists; ` +
      'nothing was changed; put the store back beside it, or move the log away too to start with an empty store',
  );
}

/**
 * Checks an existing file through a read-only connection, so that a refused file stays unchanged. Throws StartError, or
 * like better-sqlite3.
 */
export function checkWithoutTrace(path: string, name: StoreName): void {
  if (!existsSync(path)) {
    throw new StartError(`${path} is a link to a file that does not exist; mount its disk, or remove the link`);
  }
  const log = logPathOf(path);
  const hadLog = existsSync(log);
  try {
    checkStore(path, name);
  } catch (error) {
    // Reading a store in WAL mode creates an empty log.
    if (!hadLog) for (const file of [log, log.replace(/wal$/, 'shm')]) rmSync(file, { force: true });
    throw error;
  }
}

function checkStore(path: string, name: StoreName): void {
  const size = statSync(path).size;
  if (size === 0) throw damaged(path, 'it is empty');
  const header = readHeader(path);
  if (header.toString('latin1', 0, SQLITE_MAGIC.length) !== SQLITE_MAGIC) {
    throw damaged(path, 'it is not an SQLite file');
  }
  refuseForeignLog(path, header);
  const db = new Database(path, { readonly: true, timeout: OPEN_TIMEOUT_MS });
  try {
    const applicationId = db.pragma('application_id', { simple: true });
    const other = name === 'public' ? 'private' : 'public';
    if (applicationId === APPLICATION_IDS[other]) {
      throw new StartError(
        `${path} is a ${other} store under the wrong name; nothing was changed; give it its own name`,
      );
    }
    if (applicationId !== APPLICATION_IDS[name]) {
      throw new StartError(
        `${path} is not a Wellhouse store; nothing was changed; move it away or set another DATA_DIR`,
      );
    }
    const version = db.pragma('user_version', { simple: true }) as number;
    if (version > STORE_VERSION) {
      throw new StartError(
        `${path} was written by a newer Wellhouse (store version ${version}, this one knows ${STORE_VERSION}); ` +
          'nothing was changed; update Wellhouse, or set another DATA_DIR. ' +
          `To stay with this version, restore the backup from before the upgrade, which is in ${join(dirname(path), 'before-migration')} ` +
          'or in your backup folder: wellhouse restore --replace --keep-version <backup>',
      );
    }
    const pageBytes = db.pragma('page_size', { simple: true }) as number;
    if (isCutOff(path, pageBytes, db.pragma('page_count', { simple: true }) as number)) {
      throw damaged(path, 'its end is missing');
    }
    if (size <= CHECKED_AT_START_BYTES) {
      const [problem] = db.pragma('quick_check(1)', { simple: false }) as { quick_check: string }[];
      if (problem?.quick_check !== 'ok')
        throw damaged(path, `${basename(path)}: ${problem?.quick_check ?? 'unreadable'}`);
    }
  } finally {
    db.close();
  }
}

/**
 * Refuses a log that belongs to another copy of the store: SQLite would apply it, and mix the pages of both. The change
 * counter never decreases, a commit adds at most 1, and a log begins only when the previous log is fully in the store.
 * So the store's counter is at most 1 below the log's first and never above its last. This does not detect every
 * foreign log, but it never refuses the store's own log.
 */
function refuseForeignLog(path: string, header: Buffer): void {
  const { changeCounters } = readLog(path);
  if (changeCounters === null || header.length < HEADER_BYTES) return;
  const counter = header.readUInt32BE(CHANGE_COUNTER_OFFSET);
  if (counter !== header.readUInt32BE(VALID_FOR_OFFSET)) return;
  if (counter >= changeCounters.first - 1 && counter <= changeCounters.last) return;
  throw new StartError(
    `the log ${logPathOf(path)} is not of the store ${path} but of ${counter > changeCounters.last ? 'an older' : 'a newer'} copy of it; ` +
      `nothing was changed; put that copy back, or move the log and ${basename(path)}-shm away to use this one without it`,
  );
}

/**
 * Returns whether pages are missing at the end of the file and in the log too. After a power cut during a checkpoint,
 * the last pages may be only in the log. `pageCount` is SQLite's count, with the log.
 */
function isCutOff(path: string, pageBytes: number, pageCount: number): boolean {
  // The log is read first: pages that another program moves from it meanwhile are then found in the store.
  const { pages } = readLog(path);
  const { size } = statSync(path);
  if (size % pageBytes !== 0 && pages.size === 0) return true;
  const lockPage = LOCK_BYTES_AT / pageBytes + 1;
  for (let page = Math.floor(size / pageBytes) + 1; page <= pageCount; page += 1) {
    if (page !== lockPage && !pages.has(page)) return true;
  }
  return false;
}

function readHeader(path: string): Buffer {
  const fd = openSync(path, 'r');
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    return header.subarray(0, readSync(fd, header, 0, HEADER_BYTES, 0));
  } finally {
    closeSync(fd);
  }
}

function damaged(path: string, how: string): StartError {
  const name = basename(path);
  const copied = `; where ${name} is a good copy already, they are of the store before it: move them away`;
  return new StartError(
    `the store ${path} is damaged (${how.replace(/\s+/g, ' ')}); nothing was changed; put a good copy in its place, or ` +
      `move it away to start with an empty store, and move ${name}-wal and ${name}-shm away with it: they belong to it` +
      (hasLog(path) ? copied : ''),
  );
}

/** Returns the StartError that explains a failed opening to the owner. */
export function refusal(path: string, error: unknown): StartError {
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
