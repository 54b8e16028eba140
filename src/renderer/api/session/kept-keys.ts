import type { SessionKeys } from './session-keys.ts';

// Only IndexedDB can keep keys that are usable but not readable. If it is not available, as in some private windows,
// the owner opens the link again after each reload.

/** `kept`: keys that have opened the node. `tried`: keys of a link that was opened later and is not proven yet. */
export type KeptName = 'kept' | 'tried';

const DATABASE = 'wellhouse';
const STORE = 'session';
/** The storage key under which earlier versions kept the token itself. */
const OLD_TOKEN = 'wellhouse.token';

/** Returns the keys under a name; null if there are none. */
export async function readKept(name: KeptName): Promise<SessionKeys | null> {
  return ((await inStore('readonly', (store) => store.get(name))) as SessionKeys | undefined) ?? null;
}

/** Keeps keys under a name; null removes them. */
export async function keep(name: KeptName, keys: SessionKeys | null): Promise<void> {
  await inStore('readwrite', (store) => (keys === null ? store.delete(name) : store.put(keys, name)));
}

/** Returns and removes the token that an earlier version kept; null if there is none. */
export function takeOldToken(): string | null {
  const token = sessionStorage.getItem(OLD_TOKEN) ?? localStorage.getItem(OLD_TOKEN);
  sessionStorage.removeItem(OLD_TOKEN);
  localStorage.removeItem(OLD_TOKEN);
  return token;
}

async function inStore(mode: IDBTransactionMode, run: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
  try {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    const database = await resultOf(opening);
    try {
      return await resultOf(run(database.transaction(STORE, mode).objectStore(STORE)));
    } finally {
      database.close();
    }
  } catch {
    return undefined;
  }
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
