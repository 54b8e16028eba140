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
import type { Store } from './port.ts';
import { POSTGRES } from './postgres/postgres-engine.ts';
import { SQLITE } from './sqlite/sqlite-engine.ts';
import type { StoresReader, StoresView } from './stores-view.ts';

/** Returns the engine of a location. This is the only place that chooses an engine. */
export function engineOf(location: StoreLocation): StoreEngine {
  return /^postgres(?:ql)?:/.test(location) ? POSTGRES : SQLITE;
}

/**
 * Makes engines put temporary files into a folder: the system's own may be in memory, which is too small for a store.
 */
export { keepScratchIn } from './sqlite/file/database.ts';
export { problemOfCopy } from './sqlite/file/snapshot.ts';
export { engineVersions } from './sqlite/sqlite-engine.ts';

/**
 * Opens the owner's reader of a node's stores on the calling thread; see `shownTogether`. Rejects with
 * StorageUnavailable if this fails.
 */
export async function openStoresReader(locations: StoreLocations): Promise<StoresReader> {
  const { openReader } = engineOf(locations.private);
  if (openReader === null) throw new Error('a private store is a file');
  return openReader(shownTogether(locations));
}

/** Reads a node's stores as of one moment, on the calling thread; rejects like `openStoresReader`. */
export async function readStores<T>(locations: StoreLocations, read: (stores: StoresView) => Promise<T>): Promise<T> {
  const reader = await openStoresReader(locations);
  try {
    return await reader.snapshot(read);
  } finally {
    await reader.close();
  }
}

/** Leaves out a public store of another engine than the private one: a reader joins stores of one engine. */
export function shownTogether(locations: StoreLocations): StoreLocations {
  const { private: own, public: shared } = locations;
  return shared === null || engineOf(shared) === engineOf(own) ? locations : { private: own, public: null };
}

/** Opens stores for writing, each with its own engine. */
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
