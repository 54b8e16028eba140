import type { StoreName } from '../../shared/protocol/codes.ts';
import type {
  OnStoreState,
  StoreEngine,
  StoreLocation,
  StoreLocations,
  StoreOptions,
  Writers,
  WritersOptions,
} from './engine.ts';
import type { Store, StoresReader } from './port.ts';
import { POSTGRES } from './postgres/postgres-engine.ts';
import { SQLITE } from './sqlite/sqlite-engine.ts';

/** The engine that keeps the store of a location: the one place where an engine is chosen. */
export function engineOf(location: StoreLocation): StoreEngine {
  return /^postgres(?:ql)?:/.test(location) ? POSTGRES : SQLITE;
}

/** Has engines write what they need for a while into a folder: a system's own may be in memory, which holds no store. */
export { keepScratchIn } from './sqlite/file/database.ts';
export { problemOfCopy } from './sqlite/file/snapshot.ts';
export { engineVersions } from './sqlite/sqlite-engine.ts';

/** Opens the owner's reader of a node's stores on the calling thread. Rejects with StorageUnavailable where it can't. */
export function openStoresReader(locations: StoreLocations): Promise<StoresReader> {
  return engineOf(locations.private).openReader(locations);
}

/** Opens stores for writing, each by its own engine. */
export class StoreWriters implements Writers {
  readonly #options: WritersOptions;
  readonly #started = new Map<StoreEngine, Writers>();

  constructor(options: WritersOptions) {
    this.#options = options;
  }

  open(name: StoreName, location: StoreLocation, options: StoreOptions, onState?: OnStoreState): Promise<Store> {
    const engine = engineOf(location);
    const writers = this.#started.get(engine) ?? engine.startWriters(this.#options);
    this.#started.set(engine, writers);
    return writers.open(name, location, options, onState);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#started.values()].map((writers) => writers.close()));
    this.#started.clear();
  }
}
