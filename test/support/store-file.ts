import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import type { StoreLocation } from '../../src/main/store/engine.ts';
import { locationsIn } from '../../src/main/store/locations.ts';
import type { StoreName } from '../../src/shared/protocol/codes.ts';
import type { Endpoint } from './node-process.ts';

/** The store that a listener's blocks go to. */
export const STORE_OF: Readonly<Record<Endpoint, StoreName>> = { public: 'public', local: 'private' };

/** The path of an endpoint's store. */
export function storePath(dataDir: string, endpoint: Endpoint): StoreLocation {
  return locationsIn(dataDir)[STORE_OF[endpoint]];
}

/** Has another process hold a store's write lock; resolves, once it does, with what ends that. */
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

/** Runs one query on a store, read-only and beside the running node; integers come as bigints. */
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

/** The name under which a store keeps an owner, or null where it knows none. */
export function ownerName(dataDir: string, endpoint: Endpoint, ownerPubkey: string): string | null {
  const [row] = queryStore(dataDir, endpoint, 'SELECT name FROM users WHERE id = ?', Buffer.from(ownerPubkey, 'hex'));
  return row === undefined ? null : (row.name as string);
}
