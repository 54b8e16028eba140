import type { Logger } from 'pino';
import type { StoreName } from '../../shared/protocol/codes.ts';
import type { NodeEvents } from '../common/node-events.ts';
import { RESERVED_BYTES, RESERVED_PART } from '../common/room.ts';
import type { Settings } from '../settings/settings.ts';
import type { StoreLocation, StoreLocations } from '../store/engine.ts';
import { engineOf, StoreWriters, shownTogether } from '../store/engines.ts';
import type { Durability, Store, StoreBounds } from '../store/port.ts';
import { isStorageFault } from '../store/storage-unavailable.ts';
import { mostThreads, Verifiers } from '../store/verifier/verifiers.ts';
import { KeptStores } from './kept-stores.ts';
import type { NodeFolder } from './node-folder.ts';
import type { Part } from './part.ts';

/** The free space that strangers' readings never take: the private store needs it. */
const MIN_FREE_BYTES = 512 * 1024 ** 2;

/** The owner's devices have no limit, but must leave enough space to delete data, change settings and restart. */
const PRIVATE_BOUNDS: StoreBounds = {
  ...{ maxDevices: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY },
  ...{ minFreeBytes: RESERVED_BYTES, minFreePart: RESERVED_PART },
};

export interface StoresDependencies {
  readonly folder: NodeFolder;
  readonly settings: Settings;
  readonly log: Logger;
  readonly events: NodeEvents;
  /** Whether an existing public store is also opened if no listener serves it. */
  readonly alsoShown: boolean;
  /** Whether there is a private store; true by default. */
  readonly hasPrivate?: boolean;
  /** Called before stores of an older version are migrated. */
  readonly beforeMigration: () => Promise<void>;
}

/** The stores of a node: the private one always, the public one once it is needed. */
export class Stores implements Part {
  readonly name = 'stores';
  readonly #dependencies: StoresDependencies;
  readonly #open = new Map<StoreName, Store>();
  #writers: StoreWriters | null = null;
  #verifiers: Verifiers | null = null;
  #durability: Durability;
  readonly #unprepared = new Set<StoreName>();
  readonly #kept: KeptStores;

  constructor(dependencies: StoresDependencies) {
    this.#dependencies = dependencies;
    this.#kept = new KeptStores(dependencies.folder, dependencies.log);
    this.#durability = dependencies.settings.durability;
  }

  /** The locations of the open stores for the owner's page; null for a public one that is not open. */
  get locations(): StoreLocations {
    const { locations } = this.#dependencies.folder;
    return shownTogether({ private: locations.private, public: this.#open.has('public') ? locations.public : null });
  }

  /** Returns an open store; null if it is not open. */
  find(name: StoreName): Store | null {
    return this.#open.get(name) ?? null;
  }

  /** Resolves with a store, opened and created if necessary. Rejects with StartError if that fails. */
  async open(name: StoreName): Promise<Store> {
    const open = this.#open.get(name);
    if (open !== undefined) return open;
    await this.#prepare(name);
    const opened = await this.#openPrepared(name);
    await this.#kept.remember();
    return opened;
  }

  async start(): Promise<void> {
    const { settings, log, folder, alsoShown, hasPrivate = true, beforeMigration } = this.#dependencies;
    await beforeMigration();
    await this.#kept.tellMissing();
    // Both stores are prepared before either is opened, so that a refused start leaves no thread running.
    if (hasPrivate) await this.#prepare('private');
    if (settings.publicEnabled) await this.#prepare('public');
    // Without a private store and beside a database, the thread that answers has the most work: it keeps a core.
    const freeCores = hasPrivate || settings.publicStoreUrl === null ? 0 : 1;
    this.#verifiers = new Verifiers(log, { least: 0, most: mostThreads(freeCores) });
    this.#writers = new StoreWriters({ log, ingesting: { verifiers: this.#verifiers, isByAppend: false } });
    if (hasPrivate) await this.#openPrepared('private');
    const isShown = async () =>
      alsoShown && shownTogether(folder.locations).public !== null && (await isUsable(folder.locations.public, log));
    if (settings.publicEnabled || (await isShown())) await this.#openPrepared('public');
    await this.#kept.remember();
  }

  /** Applies new settings to all stores or to none; their locations stay. Rejects if a store can't apply them. */
  async apply({ durability }: Settings): Promise<void> {
    const before = this.#durability;
    if (durability === before) return;
    const changed: Store[] = [];
    try {
      for (const store of this.#open.values()) {
        await store.setDurability?.(durability);
        changed.push(store);
      }
    } catch (error) {
      await Promise.allSettled(changed.map((store) => store.setDurability?.(before)));
      throw error;
    }
    this.#durability = durability;
  }

  async stop(): Promise<void> {
    for (const store of this.#open.values()) await store.close();
    this.#open.clear();
    await this.#writers?.close();
    this.#writers = null;
    await this.#verifiers?.close();
    this.#verifiers = null;
  }

  /** Prepares a store. If its database is unavailable, the first use prepares it. */
  async #prepare(name: StoreName): Promise<void> {
    try {
      await this.#prepareNow(name);
    } catch (error) {
      if (!isStorageFault(error)) throw error;
      this.#dependencies.log.error(
        { reason: error.message },
        'the database is unavailable: the node starts, and tries again',
      );
      this.#unprepared.add(name);
    }
  }

  /** The store writes failures to the log. */
  async #prepareLater(name: StoreName): Promise<void> {
    await this.#prepareNow(name);
    this.#unprepared.delete(name);
  }

  async #prepareNow(name: StoreName): Promise<void> {
    const { folder, log } = this.#dependencies;
    const location = folder.locations[name];
    const engine = engineOf(location);
    const isMissing = !folder.identity.created && !(await engine.exists(location));
    await engine.prepare(name, location);
    await engine.bind?.(name, location, folder.identity.publicKey);
    if (isMissing)
      log.warn(
        { store: engine.describe(location) },
        'the store is missing although there is an identity: created a new, empty one',
      );
  }

  async #openPrepared(name: StoreName): Promise<Store> {
    const { folder, settings, events } = this.#dependencies;
    const options = {
      durability: this.#durability,
      bounds: name === 'public' ? publicBounds(settings) : PRIVATE_BOUNDS,
      ...(this.#unprepared.has(name) && { prepare: () => this.#prepareLater(name) }),
    };
    const store = await this.#writers!.open(name, folder.locations[name], options, (refusal) =>
      events.emit('storeState', () => ({ store: name, refusal })),
    );
    this.#open.set(name, store);
    return store;
  }
}

/** Returns whether the public store can be shown although its listener is off; it is never created only for that. */
async function isUsable(location: StoreLocation, log: Logger): Promise<boolean> {
  const engine = engineOf(location);
  if (!(await engine.exists(location))) return false;
  try {
    await engine.prepare('public', location);
    return true;
  } catch (error) {
    log.warn({ reason: (error as Error).message }, 'the public store is not shown');
    return false;
  }
}

function publicBounds({ publicMaxDevices, publicMaxBytes }: Settings): StoreBounds {
  return { maxDevices: publicMaxDevices, maxBytes: publicMaxBytes, minFreeBytes: MIN_FREE_BYTES, minFreePart: 1 };
}
