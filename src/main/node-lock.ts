import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { StartError } from './start-error.ts';

/**
 * Keeps a second node off the same data folder. The lock is the operating system's own, taken by SQLite on an empty
 * file, so it ends with the process however that ends. Throws StartError where another node holds it.
 * Returns what releases it.
 */
export function lockDataDir(dataDir: string): () => void {
  const path = join(dataDir, 'node.lock');
  try {
    closeSync(openSync(path, 'a', 0o600));
    const db = new Database(path, { timeout: 0 });
    try {
      db.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      db.close();
      throw error;
    }
    return () => db.close();
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw new StartError(`another Wellhouse node runs on ${dataDir}; stop it first, or set another DATA_DIR`);
    }
    throw new StartError(`${path} can't be locked (${(error as Error).message}); check the folder and its disk`);
  }
}
