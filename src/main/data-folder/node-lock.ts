import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../common/start-error.ts';
import { refuseIrregularFiles } from '../state-files/data-files.ts';
import { engineOf } from '../store/engines.ts';
import { fileLocation } from '../store/locations.ts';

const FILE_NAME = 'node.lock';
const CARE_FILE = 'care.lock';
const AUDIT_FILE = 'audit.lock';

/**
 * Keeps a second node off the same data folder. The lock is the operating system's own, so it ends with the process however
 * that ends. Throws StartError where another node holds it.
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

/** null if another process holds it. */
function tryLock(dataDir: string, name = FILE_NAME): (() => void) | null {
  // Before anything is opened in it.
  refuseIrregularFiles(dataDir);
  const location = fileLocation(join(dataDir, name));
  try {
    return engineOf(location).lock(location);
  } catch (error) {
    throw new StartError(`${location} can't be locked (${(error as Error).message}); check the folder and its disk`);
  }
}
