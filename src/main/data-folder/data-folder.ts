import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../common/start-error.ts';
import { STORE_FILES } from '../store/locations.ts';
import { isMarkerDamaged, MARKER, readMarker } from './data-marker.ts';
import { makeFolder } from './folders.ts';

/** The files that a node has made in its folder once it has run. */
const OF_A_NODE = ['identity.mnemonic', ...Object.values(STORE_FILES)];

/** Makes the data folder where there is none. Throws StartError where it can't be made, or its data was moved away, or may have been. */
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

/** Whether a node has kept data in a folder. */
export function hasData(dataDir: string): boolean {
  return OF_A_NODE.some((name) => existsSync(join(dataDir, name)));
}

/** Whether a folder is there to be filled, or can be made. */
export function isEmptyOrMissing(path: string): boolean {
  try {
    return !existsSync(path) || readdirSync(path).length === 0;
  } catch {
    return false;
  }
}
