import type { StoresReader } from './port.ts';
import { reading } from './sqlite/file/fault.ts';
import { SqliteStoresReader } from './sqlite/read/stores-reader.ts';
import type { StorePaths } from './store-paths.ts';

/** Opens the owner's reader of a node's stores on the calling thread. Rejects with StorageUnavailable where it can't. */
export async function openStoresReader(paths: StorePaths): Promise<StoresReader> {
  return reading(() => new SqliteStoresReader(paths));
}
