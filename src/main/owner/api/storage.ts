import type { Refusal, Room, Storage } from '../../../shared/owner-api/storage.ts';
import type { StoreName } from '../../../shared/protocol/codes.ts';
import type { Clock } from '../../common/clock.ts';
import type { NodeEvents, StoreFault, StoreRefusal } from '../../common/node-events.ts';
import type { StoreLocation, StoreLocations } from '../../store/engine.ts';
import { engineOf } from '../../store/engines.ts';

/** The cause of a fault in the owner's terms, as far as the owner can act on it. */
const CAUSES: Readonly<Record<StoreFault, Refusal>> = {
  full: 'full',
  limit: 'limit',
  reserved: 'reserved',
  read_only: 'read_only',
  busy: 'held',
  damaged: 'damaged',
  newer: 'other',
  unreachable: 'other',
};

/** Returns the room on the disk of a store; null if it is unknown. */
async function roomOf(location: StoreLocation): Promise<Room | null> {
  const usage = await engineOf(location)
    .usage(location)
    .catch(() => null);
  return usage?.room ?? null;
}

/** Records which stores refuse writes, and since when. */
export class StorageState {
  readonly #refusing = new Map<StoreName, { readonly since: number; readonly refusal: StoreRefusal }>();
  readonly #end: () => void;

  constructor(events: NodeEvents, clock: Clock) {
    this.#end = events.on('storeState', ({ store, refusal }) => {
      if (refusal === null) this.#refusing.delete(store);
      else this.#refusing.set(store, { since: this.#refusing.get(store)?.since ?? clock.now(), refusal });
    });
  }

  /** Returns the state of the open stores and of their disk. */
  async read(locations: StoreLocations): Promise<Storage> {
    const names = (['private', 'public'] as const).filter((name) => locations[name] !== null);
    const stores = names.map((store) => {
      const found = this.#refusing.get(store);
      if (found === undefined) return { store, refusing: null };
      const { since, refusal } = found;
      return { store, refusing: { since, cause: CAUSES[refusal.code], message: refusal.message } };
    });
    return { stores, room: await roomOf(locations.private) };
  }

  close(): void {
    this.#end();
  }
}
