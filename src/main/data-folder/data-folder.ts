import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../common/start-error.ts';
import { STORE_FILES } from '../store/locations.ts';
import { isMarkerDamaged, MARKER, readMarker } from './data-marker.ts';
import { makeFolder } from './folders.ts';

/** The files of which a node has at least one after its first run. */
const OF_A_NODE = ['identity.mnemonic', ...Object.values(STORE_FILES)];

/**
 * Creates the data folder if it does not exist. Throws StartError if it can't be created, or if its data was or may
 * have been moved away.
 */
export function makeDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir);
  } catch (error) {
    const { message } = error as Error;
    throw new StartError(`DATA_DIR ${dataDir} can't be made (${message}); set another one`, null, {
      path: dataDir,
      reason: 'unusable',
      detail: message,
    });
  }
  if (isMarkerDamaged(dataDir)) {
    throw new StartError(
      `${join(dataDir, MARKER)} is damaged: it says that the data was moved, but not where to; ` +
        'set DATA_DIR to the folder with the data, or remove the file to use the old data',
    );
  }
  const marker = readMarker(dataDir);
  if (marker === null) return;
  throw new StartError(
    `the data of ${dataDir} was moved to ${marker.to}; set DATA_DIR to that folder, ` +
      `or remove ${join(dataDir, MARKER)} to use the old data`,
    null,
    { path: dataDir, reason: 'moved', detail: marker.to },
  );
}

/** Returns whether a folder has a node's data. */
export function hasData(dataDir: string): boolean {
  return OF_A_NODE.some((name) => existsSync(join(dataDir, name)));
}

/** Returns whether a folder is empty or does not exist. */
export function isEmptyOrMissing(path: string): boolean {
  try {
    return !existsSync(path) || readdirSync(path).length === 0;
  } catch {
    return false;
  }
}
