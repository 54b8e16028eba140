import type { Logger } from 'pino';
import type { StoreName } from '../../shared/protocol/codes.ts';
import { engineOf, StoreWriters } from './engines.ts';
import { locationsIn } from './locations.ts';
import type { Durability, Store } from './port.ts';

/** The stores of a data folder without a running node. The caller must have the folder's lock. */
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

  /** Returns whether the store exists. */
  exists(name: StoreName): Promise<boolean> {
    return engineOf(this.#locations[name]).exists(this.#locations[name]);
  }

  /** Opens a store; creates or migrates it if necessary. Throws StartError if it can't be opened. */
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
