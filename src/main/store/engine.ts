import type { Logger } from 'pino';
import type { StoreName } from '../../shared/protocol/codes.ts';
import type { Durability } from '../settings/settings.ts';
import type { StoreWithLane } from './lane/store-lane.ts';
import type { StoreBounds } from './port.ts';
import { SqliteStore } from './sqlite/sqlite-store.ts';
import { type OnStoreState, WriterThread } from './sqlite/write/writer.ts';

// With open-reader.ts and snapshots.ts the one place that names an engine; another one is chosen here.
export { prepareStore } from './sqlite/file/database.ts';
export { refuseLogWithoutStore } from './sqlite/file/store-check.ts';

/** Where a store lies, and how it is written. */
export interface StoreOptions {
  readonly path: string;
  readonly durability: Durability;
  /** null: none. */
  readonly bounds: StoreBounds | null;
}

/** A store that is open, of whichever engine. */
export interface OpenedStore extends StoreWithLane {
  /** Whether a commit waits for the disk from now on. */
  setDurability(durability: Durability): Promise<void>;
}

/** Opens stores; what writes to them starts with it. */
export class StoreEngine {
  readonly #writer: WriterThread;

  constructor(log: Logger) {
    this.#writer = new WriterThread(log);
  }

  /**
   * Opens a store that `prepareStore` has looked at, and resolves when it takes writes. A store goes before those that were
   * opened later. `onState` is told when it refuses to write, and when it takes writes again.
   */
  async open(name: StoreName, options: StoreOptions, onState?: OnStoreState): Promise<OpenedStore> {
    return new SqliteStore(name, options.path, await this.#writer.open(options, onState));
  }

  /** Ends what writes, once all that was handed in is committed. To be called after the stores are closed. */
  async close(): Promise<void> {
    await this.#writer.close();
  }
}
