import { closeSync, existsSync, openSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { StartError } from '../common/start-error.ts';
import { refuseIrregularFiles } from '../state-files/data-files.ts';

const FILE_NAME = 'node.lock';
const CARE_FILE = 'care.lock';
const AUDIT_FILE = 'audit.lock';

/**
 * Keeps a second node off the same data folder. The lock is the operating system's own, taken by SQLite on an empty
 * file, so it ends with the process however that ends. Throws StartError where another node holds it.
 * Returns what releases it.
 */
export function lockDataDir(dataDir: string): () => void {
  const release = tryLock(dataDir);
  if (release !== null) return release;
  throw new StartError(`another Wellhouse node runs on ${dataDir}; stop it first, or set another DATA_DIR`, null, {
    path: dataDir,
    reason: 'busy',
    detail: null,
  });
}

/** Whether a node runs on a data folder, which need not exist. Throws StartError where that can't be told. */
export function isNodeRunning(dataDir: string): boolean {
  if (!existsSync(join(dataDir, FILE_NAME))) return false;
  const release = tryLock(dataDir);
  release?.();
  return release === null;
}

/**
 * Keeps a second backup, check or restore off the same data folder, whether a node runs on it or not. null: another one is
 * under way. Returns what releases it. Throws StartError where that can't be told.
 */
export function tryCareLock(dataDir: string): (() => void) | null {
  return tryLock(dataDir, CARE_FILE);
}

/** Keeps a second writer off the audit log, for the moment of an entry. As `tryCareLock`. */
export function tryAuditLock(dataDir: string): (() => void) | null {
  return tryLock(dataDir, AUDIT_FILE);
}

/** null: another process holds it. */
function tryLock(dataDir: string, name = FILE_NAME): (() => void) | null {
  // Before anything is opened in it.
  refuseIrregularFiles(dataDir);
  const path = join(dataDir, name);
  const lock = () => {
    try {
      return lockAlone(path);
    } catch (error) {
      if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return null;
      throw error;
    }
  };
  try {
    closeSync(openSync(path, 'a', 0o600));
    try {
      return lock();
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'SQLITE_NOTADB') throw error;
      // Nobody can hold a damaged file, and nothing is ever in it.
      truncateSync(path);
      return lock();
    }
  } catch (error) {
    throw new StartError(`${path} can't be locked (${(error as Error).message}); check the folder and its disk`);
  }
}

/** Throws SqliteError where another process holds the lock, or the file can't be locked. */
function lockAlone(path: string): () => void {
  const db = new Database(path, { timeout: 0 });
  try {
    // A journal file, of which nothing is ever needed, would take bytes that a full disk does not have.
    db.pragma('journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    throw error;
  }
  return () => db.close();
}
