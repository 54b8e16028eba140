import { closeSync, openSync, truncateSync } from 'node:fs';
import Database from 'better-sqlite3';
import { faultOf, isBusy } from './fault.ts';

/**
 * Locks a file, which is made where there is none and stays empty. The lock is the operating system's own, so it ends with
 * the process however that ends. null: another process holds it. Returns what releases it. Throws where that can't be told.
 */
export function lockFile(path: string): (() => void) | null {
  closeSync(openSync(path, 'a', 0o600));
  try {
    return lock(path);
  } catch (error) {
    if (faultOf(error) !== 'damaged') throw error;
    // Nobody can hold a damaged file, and nothing is ever in it.
    truncateSync(path);
    return lock(path);
  }
}

function lock(path: string): (() => void) | null {
  const db = new Database(path, { timeout: 0 });
  try {
    // A journal file, of which nothing is ever needed, would take bytes that a full disk does not have.
    db.pragma('journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (isBusy(error)) return null;
    throw error;
  }
  return () => db.close();
}
