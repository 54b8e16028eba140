import { existsSync } from 'node:fs';
import type { Logger } from 'pino';
import type { StoreName } from '../../shared/protocol/codes.ts';
import type { NodeEvents } from '../common/node-events.ts';
import { RESERVED_BYTES, RESERVED_PART } from '../common/room.ts';
import type { Durability, Settings } from '../settings/settings.ts';
import { type OpenedStore, prepareStore, StoreEngine } from '../store/engine.ts';
import type { StoreBounds } from '../store/port.ts';
import type { StorePaths } from '../store/store-paths.ts';
import { KeptStores } from './kept-stores.ts';
import type { NodeFolder } from './node-folder.ts';
import type { Part } from './part.ts';

/** Strangers never get the last of the disk: the private store needs it. */
const MIN_FREE_BYTES = 512 * 1024 ** 2;

/** The owner's own devices are not counted, but must leave room to delete something, change settings and start again. */
const PRIVATE_BOUNDS: StoreBounds = {
  ...{ maxDevices: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY },
  ...{ minFreeBytes: RESERVED_BYTES, minFreePart: RESERVED_PART },
};

/** What the stores are made of. */
export interface StoresParts {
  readonly folder: NodeFolder;
  readonly settings: Settings;
  readonly log: Logger;
  readonly events: NodeEvents;
  /** Whether a public store is also opened, where there is one, that no listener takes in for. */
  readonly alsoShown: boolean;
  /** Called before stores of an older version are brought up to date. */
  readonly beforeMigration: () => Promise<void>;
}

/** The stores of a node: the private one always, the public one from when it is first needed. */
export class Stores implements Part {
  readonly name = 'stores';
  readonly #parts: StoresParts;
  readonly #open = new Map<StoreName, OpenedStore>();
  #engine: StoreEngine | null = null;
  #durability: Durability;
  readonly #kept: KeptStores;

  constructor(parts: StoresParts) {
    this.#parts = parts;
    this.#kept = new KeptStores(parts.folder, parts.log);
    this.#durability = parts.settings.durability;
  }

  /** Where the open stores lie; null for a public one that is not open. */
  get paths(): StorePaths {
    const { storePaths } = this.#parts.folder;
    return { private: storePaths.private, public: this.#open.has('public') ? storePaths.public : null };
  }

  /** A store that is open; null where it is not. */
  find(name: StoreName): OpenedStore | null {
    return this.#open.get(name) ?? null;
  }

  /** A store, opened and made where need be. Throws StartError where that can't be. */
  async open(name: StoreName): Promise<OpenedStore> {
    const open = this.#open.get(name);
    if (open !== undefined) return open;
    this.#prepare(name);
    const opened = await this.#openPrepared(name);
    this.#kept.remember();
    return opened;
  }

  async start(): Promise<void> {
    const { settings, log, folder, alsoShown, beforeMigration } = this.#parts;
    await beforeMigration();
    this.#kept.tellMissing();
    // Both before either is opened: a start that is refused leaves no thread at work.
    this.#prepare('private');
    if (settings.publicEnabled) this.#prepare('public');
    this.#engine = new StoreEngine(log);
    await this.#openPrepared('private');
    const isShown = () => alsoShown && isUsable(folder.storePaths.public, log);
    if (settings.publicEnabled || isShown()) await this.#openPrepared('public');
    this.#kept.remember();
  }

  /** Goes by new settings, all stores or none; where the stores lie stays. Rejects where a store can't follow. */
  async apply({ durability }: Settings): Promise<void> {
    const before = this.#durability;
    if (durability === before) return;
    const changed: OpenedStore[] = [];
    try {
      for (const store of this.#open.values()) {
        await store.setDurability(durability);
        changed.push(store);
      }
    } catch (error) {
      await Promise.allSettled(changed.map((store) => store.setDurability(before)));
      throw error;
    }
    this.#durability = durability;
  }

  async stop(): Promise<void> {
    for (const store of this.#open.values()) await store.close();
    this.#open.clear();
    await this.#engine?.close();
    this.#engine = null;
  }

  #prepare(name: StoreName): void {
    const { folder, log } = this.#parts;
    const path = folder.storePaths[name];
    const isMissing = !folder.identity.created && !existsSync(path);
    prepareStore(path, name);
    if (isMissing) log.warn({ store: path }, 'the store is missing beside the identity: created a new, empty one');
  }

  async #openPrepared(name: StoreName): Promise<OpenedStore> {
    const { folder, settings, events } = this.#parts;
    const path = folder.storePaths[name];
    const bounds = name === 'public' ? publicBounds(settings) : PRIVATE_BOUNDS;
    const store = await this.#engine!.open(name, { path, durability: this.#durability, bounds }, (refusal) =>
      events.emit('storeState', () => ({ store: name, refusal })),
    );
    this.#open.set(name, store);
    return store;
  }
}

/** Whether the public store of a node whose public listener is off can be shown; it is never made for that alone. */
function isUsable(path: string, log: Logger): boolean {
  if (!existsSync(path)) return false;
  try {
    prepareStore(path, 'public');
    return true;
  } catch (error) {
    log.warn({ reason: (error as Error).message }, 'the public store is not shown');
    return false;
  }
}

function publicBounds({ publicMaxDevices, publicMaxBytes }: Settings): StoreBounds {
  return { maxDevices: publicMaxDevices, maxBytes: publicMaxBytes, minFreeBytes: MIN_FREE_BYTES, minFreePart: 1 };
}
