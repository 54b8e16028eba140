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
 * Prevents a second node on the same data folder. The operating system holds the lock, so it ends with the process in
 * any case. Returns a function that releases the lock. Throws StartError if another node holds it.
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

/**
 * Returns whether a node runs on a data folder, which need not exist. Throws StartError if that can't be determined.
 */
export function isNodeRunning(dataDir: string): boolean {
  if (!existsSync(join(dataDir, FILE_NAME))) return false;
  const release = tryLock(dataDir);
  release?.();
  return release === null;
}

/**
 * Prevents a second backup, check or restore on the same data folder, with or without a running node. Returns a
 * function that releases the lock; null if another one is running. Throws StartError if that can't be determined.
 */
export function tryCareLock(dataDir: string): (() => void) | null {
  return tryLock(dataDir, CARE_FILE);
}

/** Prevents a second writer of the audit log for the time of an entry. Returns as `tryCareLock` does. */
export function tryAuditLock(dataDir: string): (() => void) | null {
  return tryLock(dataDir, AUDIT_FILE);
}

/** Returns null if another process holds the lock. */
function tryLock(dataDir: string, name = FILE_NAME): (() => void) | null {
  // This check comes before any file in the folder is opened.
  refuseIrregularFiles(dataDir);
  const location = fileLocation(join(dataDir, name));
  try {
    return engineOf(location).lock(location);
  } catch (error) {
    throw new StartError(`${location} can't be locked (${(error as Error).message}); check the folder and its disk`);
  }
}
