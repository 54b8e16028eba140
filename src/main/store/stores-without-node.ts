import type { Logger } from 'pino';
import type { StoreName } from '../../shared/protocol/codes.ts';
import type { Durability } from '../settings/settings.ts';
import { prepareStore, StoreEngine } from './engine.ts';
import type { Store } from './port.ts';

/** The stores of a folder on which no node runs, for whoever holds its lock. */
export class StoresWithoutNode {
  readonly #pathOf: (name: StoreName) => string;
  readonly #durability: Durability;
  readonly #engine: StoreEngine;
  readonly #open = new Map<StoreName, Store>();

  constructor(pathOf: (name: StoreName) => string, durability: Durability, log: Logger) {
    this.#pathOf = pathOf;
    this.#durability = durability;
    this.#engine = new StoreEngine(log);
  }

  /** A store, made where there is none and brought to the present version. Throws StartError where it can't be opened. */
  async open(name: StoreName): Promise<Store> {
    const open = this.#open.get(name);
    if (open !== undefined) return open;
    const path = this.#pathOf(name);
    prepareStore(path, name);
    const store = await this.#engine.open(name, { path, durability: this.#durability, bounds: null });
    this.#open.set(name, store);
    return store;
  }

  async close(): Promise<void> {
    for (const store of this.#open.values()) await store.close();
    await this.#engine.close();
  }
}
