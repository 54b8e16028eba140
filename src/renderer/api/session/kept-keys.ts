import type { SessionKeys } from './session-keys.ts';

// Only a database can keep keys that are usable and not readable. Where it can't be used, as in some private windows, the
// owner opens the link again after each reload.

/** `kept`: the node has taken them. `tried`: of a link that was opened since, and not proven yet. */
export type KeptName = 'kept' | 'tried';

const DATABASE = 'wellhouse';
const STORE = 'session';
/** Where earlier versions kept the token itself. */
const OLD_TOKEN = 'wellhouse.token';

/** The value kept under a name; null if there is none. */
export async function readKept(name: KeptName): Promise<SessionKeys | null> {
  return ((await inStore('readonly', (store) => store.get(name))) as SessionKeys | undefined) ?? null;
}

/** Keeps keys under a name; null removes what is there. */
export async function keep(name: KeptName, keys: SessionKeys | null): Promise<void> {
  await inStore('readwrite', (store) => (keys === null ? store.delete(name) : store.put(keys, name)));
}

/** The token that an earlier version kept, taken out of where it was; null where there is none. */
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
