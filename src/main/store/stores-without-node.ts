import type { Logger } from 'pino';
import type { StoreName } from '../../shared/protocol/codes.ts';
import type { Durability } from '../settings/settings.ts';
import type { Store } from './port.ts';
import { prepareStore } from './sqlite/file/database.ts';
import { SqliteStore } from './sqlite/sqlite-store.ts';
import { WriterThread } from './sqlite/write/writer.ts';

/** The stores of a folder on which no node runs, for whoever holds its lock. */
export class StoresWithoutNode {
  readonly #pathOf: (name: StoreName) => string;
  readonly #durability: Durability;
  readonly #writer: WriterThread;
  readonly #open = new Map<StoreName, Store>();

  constructor(pathOf: (name: StoreName) => string, durability: Durability, log: Logger) {
    this.#pathOf = pathOf;
    this.#durability = durability;
    this.#writer = new WriterThread(log);
  }

  /** A store, made where there is none and brought to the present version. Throws StartError where it can't be opened. */
  async open(name: StoreName): Promise<Store> {
    const open = this.#open.get(name);
    if (open !== undefined) return open;
    const path = this.#pathOf(name);
    prepareStore(path, name);
    const writer = await this.#writer.open({ path, durability: this.#durability, bounds: null });
    const store = new SqliteStore(name, path, writer);
    this.#open.set(name, store);
    return store;
  }

  async close(): Promise<void> {
    for (const store of this.#open.values()) await store.close();
    await this.#writer.close();
  }
}
