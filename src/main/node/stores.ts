import type { Logger } from 'pino';
import type { StoreName } from '../../shared/protocol/codes.ts';
import type { NodeEvents } from '../common/node-events.ts';
import { RESERVED_BYTES, RESERVED_PART } from '../common/room.ts';
import type { Settings } from '../settings/settings.ts';
import type { StoreLocation, StoreLocations } from '../store/engine.ts';
import { engineOf, StoreWriters, shownTogether } from '../store/engines.ts';
import type { Durability, Store, StoreBounds } from '../store/port.ts';
import { isStorageFault } from '../store/storage-unavailable.ts';
import { Verifiers } from '../store/verifier/verifiers.ts';
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

export interface StoresDependencies {
  readonly folder: NodeFolder;
  readonly settings: Settings;
  readonly log: Logger;
  readonly events: NodeEvents;
  /** Whether a public store is also opened, where there is one, that no listener takes in for. */
  readonly alsoShown: boolean;
  /** Whether there is a private store; there is where nothing is said. */
  readonly hasPrivate?: boolean;
  /** Called before stores of an older version are brought up to date. */
  readonly beforeMigration: () => Promise<void>;
}

/** The stores of a node: the private one always, the public one from when it is first needed. */
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

  /** Where the open stores are kept that the owner's page shows; null for a public one that is not open. */
  get locations(): StoreLocations {
    const { locations } = this.#dependencies.folder;
    return shownTogether({ private: locations.private, public: this.#open.has('public') ? locations.public : null });
  }

  /** A store that is open; null where it is not. */
  find(name: StoreName): Store | null {
    return this.#open.get(name) ?? null;
  }

  /** A store, opened and made where need be. Throws StartError where that can't be. */
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
    // Both before either is opened: a start that is refused leaves no thread at work.
    if (hasPrivate) await this.#prepare('private');
    if (settings.publicEnabled) await this.#prepare('public');
    this.#verifiers = new Verifiers(log);
    this.#writers = new StoreWriters({ log, ingesting: { verifiers: this.#verifiers, isByAppend: false } });
    if (hasPrivate) await this.#openPrepared('private');
    const isShown = async () =>
      alsoShown && shownTogether(folder.locations).public !== null && (await isUsable(folder.locations.public, log));
    if (settings.publicEnabled || (await isShown())) await this.#openPrepared('public');
    await this.#kept.remember();
  }

  /** Goes by new settings, all stores or none; where the stores lie stays. Rejects where a store can't follow. */
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

  /** Prepares a store, or leaves that to whoever uses it first where its database is away. */
  async #prepare(name: StoreName): Promise<void> {
    try {
      await this.#prepareNow(name);
    } catch (error) {
      if (!isStorageFault(error)) throw error;
      this.#dependencies.log.error({ reason: error.message }, 'the database is away: the node starts, and tries again');
      this.#unprepared.add(name);
    }
  }

  async #prepareLater(name: StoreName): Promise<void> {
    try {
      await this.#prepareNow(name);
    } catch (error) {
      if (!isStorageFault(error)) {
        this.#dependencies.log.error({ reason: (error as Error).message }, 'the store can’t be used');
      }
      throw error;
    }
    this.#unprepared.delete(name);
    this.#dependencies.log.info({ store: name }, 'the database is there');
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
        'the store is missing beside the identity: created a new, empty one',
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

/** Whether the public store of a node whose public listener is off can be shown; it is never made for that alone. */
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
