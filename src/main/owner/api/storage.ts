import { dirname } from 'node:path';
import type { Refusal, Storage } from '../../../shared/owner-api/storage.ts';
import type { StoreName } from '../../../shared/protocol/codes.ts';
import type { Clock } from '../../common/clock.ts';
import type { NodeEvents, StoreRefusal } from '../../common/node-events.ts';
import { roomAt } from '../../common/room.ts';
import type { StorePaths } from '../../store/store-paths.ts';

const CAUSES: readonly (readonly [RegExp, Refusal])[] = [
  [/^SQLITE_FULL|^ENOSPC|^EDQUOT/, 'full'],
  [/^STORE_FULL/, 'limit'],
  [/^DISK_RESERVED/, 'reserved'],
  [/^SQLITE_READONLY|^SQLITE_CANTOPEN|^EROFS|^EACCES|^EPERM/, 'read_only'],
  [/^SQLITE_BUSY|^SQLITE_LOCKED/, 'held'],
  [/^SQLITE_CORRUPT|^SQLITE_NOTADB/, 'damaged'],
];

/** What a refusal's code means to an owner. */
export function causeOf({ code }: Pick<StoreRefusal, 'code'>): Refusal {
  return CAUSES.find(([pattern]) => pattern.test(code))?.[1] ?? 'other';
}

/** Holds which stores refuse writes, and since when. */
export class StorageState {
  readonly #refusing = new Map<StoreName, { readonly since: number; readonly refusal: StoreRefusal }>();
  readonly #end: () => void;

  constructor(events: NodeEvents, clock: Clock) {
    this.#end = events.on('storeState', ({ store, refusal }) => {
      if (refusal === null) this.#refusing.delete(store);
      else this.#refusing.set(store, { since: this.#refusing.get(store)?.since ?? clock.now(), refusal });
    });
  }

  /** The state of the open stores and of the disk below them. */
  async read(paths: StorePaths): Promise<Storage> {
    const names = (['private', 'public'] as const).filter((name) => paths[name] !== null);
    const stores = names.map((store) => {
      const found = this.#refusing.get(store);
      if (found === undefined) return { store, refusing: null };
      const { since, refusal } = found;
      return { store, refusing: { since, cause: causeOf(refusal), message: refusal.message } };
    });
    return { stores, room: await roomAt(dirname(paths.private)) };
  }

  close(): void {
    this.#end();
  }
}
