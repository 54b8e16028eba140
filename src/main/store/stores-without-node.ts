import type { Logger } from 'pino';
import type { StoreName } from '../../shared/protocol/codes.ts';
import { engineOf, StoreWriters } from './engines.ts';
import { locationsIn } from './locations.ts';
import type { Durability, Store } from './port.ts';

/** The stores of a data folder on which no node runs, for whoever holds its lock. */
export class StoresWithoutNode {
  readonly #locations: ReturnType<typeof locationsIn>;
  readonly #durability: Durability;
  readonly #writers: StoreWriters;
  readonly #open = new Map<StoreName, Store>();

  constructor(dataDir: string, durability: Durability, log: Logger) {
    this.#locations = locationsIn(dataDir);
    this.#durability = durability;
    this.#writers = new StoreWriters({ log, ingesting: null });
  }

  /** Whether there is such a store. */
  exists(name: StoreName): Promise<boolean> {
    return engineOf(this.#locations[name]).exists(this.#locations[name]);
  }

  /** A store, made where there is none and brought to the present version. Throws StartError where it can't be opened. */
  async open(name: StoreName): Promise<Store> {
    const open = this.#open.get(name);
    if (open !== undefined) return open;
    const location = this.#locations[name];
    await engineOf(location).prepare(name, location);
    const store = await this.#writers.open(name, location, { durability: this.#durability, bounds: null });
    this.#open.set(name, store);
    return store;
  }

  async close(): Promise<void> {
    for (const store of this.#open.values()) await store.close();
    await this.#writers.close();
  }
}
