import { join } from 'node:path';
import type { StoreName } from '../../shared/protocol/codes.ts';
import type { StoreLocation } from './engine.ts';
import { STORE_FILES } from './sqlite/file/names.ts';

// The stores of a data folder are SQLite files. This module has only their names, so that it loads no engine.
export { belongsToStore, isDatabase, isMadeAtOpening, madeAtOpeningOf, STORE_FILES } from './sqlite/file/names.ts';

/** Returns the locations of a data folder's stores, whether they exist or not. */
export function locationsIn(dataDir: string): Readonly<Record<StoreName, StoreLocation>> {
  return {
    private: fileLocation(join(dataDir, STORE_FILES.private)),
    public: fileLocation(join(dataDir, STORE_FILES.public)),
  };
}

/** Returns the location of a store on a server, by its URL. */
export function serverLocation(url: string): StoreLocation {
  return url as StoreLocation;
}

/** Returns the location of a store that is a file. */
export function fileLocation(path: string): StoreLocation {
  return path as StoreLocation;
}
