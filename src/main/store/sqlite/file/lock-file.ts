import { closeSync, openSync, truncateSync } from 'node:fs';
import Database from 'better-sqlite3';
import { faultOf, isBusy } from './fault.ts';

/**
 * Locks a file, which is created if necessary and stays empty. It is a lock of the operating system, so it ends with
 * the process in every case. Returns a function that releases it; null if another process has it. Throws if this can't
 * be determined.
 */
export function lockFile(path: string): (() => void) | null {
  closeSync(openSync(path, 'a', 0o600));
  try {
    return lock(path);
  } catch (error) {
    if (faultOf(error) !== 'damaged') throw error;
    // Nobody can have locked a damaged file, and it contains nothing.
    truncateSync(path);
    return lock(path);
  }
}

function lock(path: string): (() => void) | null {
  const db = new Database(path, { timeout: 0 });
  try {
    // A journal file is never needed here, and a full disk would have no space for it.
    db.pragma('journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (isBusy(error)) return null;
    throw error;
  }
  return () => db.close();
}
