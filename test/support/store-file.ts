import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import type { StoreLocation } from '../../src/main/store/engine.ts';
import { locationsIn } from '../../src/main/store/locations.ts';
import type { StoreName } from '../../src/shared/protocol/codes.ts';
import type { Endpoint } from './node-process.ts';

/** The store of each listener's blocks. */
export const STORE_OF: Readonly<Record<Endpoint, StoreName>> = { public: 'public', local: 'private' };

/** Returns the path of an endpoint's store. */
export function storePath(dataDir: string, endpoint: Endpoint): StoreLocation {
  return locationsIn(dataDir)[STORE_OF[endpoint]];
}

/** Lets another process take a store's write lock. Resolves, when it has the lock, with a function that releases it. */
export async function holdLock(store: string): Promise<() => Promise<void>> {
  const holder = spawn(process.execPath, [fileURLToPath(new URL('hold-lock.ts', import.meta.url)), store], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  return async () => {
    holder.stdin.end();
    await once(holder, 'exit');
  };
}

/** Runs one read-only query on a store while the node runs. Integers are returned as bigints. */
export function queryStore(
  dataDir: string,
  endpoint: Endpoint,
  sql: string,
  ...parameters: unknown[]
): Record<string, unknown>[] {
  const db = new Database(storePath(dataDir, endpoint), { readonly: true, fileMustExist: true });
  try {
    return db
      .prepare(sql)
      .safeIntegers()
      .all(...parameters) as Record<string, unknown>[];
  } finally {
    db.close();
  }
}

/** Returns the name of an owner in a store; null if the store does not have the owner. */
export function ownerName(dataDir: string, endpoint: Endpoint, ownerPubkey: string): string | null {
  const [row] = queryStore(dataDir, endpoint, 'SELECT name FROM users WHERE id = ?', Buffer.from(ownerPubkey, 'hex'));
  return row === undefined ? null : (row.name as string);
}
