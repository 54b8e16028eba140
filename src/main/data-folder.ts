import { join } from 'node:path';
import { MARKER, readMarker } from './data-marker.ts';
import { makeFolder } from './folders.ts';
import { StartError } from './start-error.ts';

/** Makes the data folder where there is none. Throws StartError where it can't be made, or its data was moved away. */
export function makeDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir);
  } catch (error) {
    throw new StartError(`DATA_DIR ${dataDir} can't be made (${(error as Error).message}); set another one`);
  }
  const marker = readMarker(dataDir);
  if (marker === null) return;
  throw new StartError(
    `the data of ${dataDir} was moved to ${marker.to}; set DATA_DIR to that folder, ` +
      `or remove ${join(dataDir, MARKER)} to use what stayed behind`,
  );
}
