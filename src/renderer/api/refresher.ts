import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';

/** Returns the key of the mutation that forgets a device in its last store. */
export function forgettingKey(queryKey: QueryKey): QueryKey {
  return ['forgetDevice', queryKey[0], queryKey[2]];
}

/** Returns whether a query is for a device that is being forgotten or has just been. The answer would be a 404. */
export function isBeingForgotten(client: QueryClient, queryKey: QueryKey): boolean {
  if (queryKey.length < 3) return false;
  const forgetting = client.getMutationCache().find({ mutationKey: forgettingKey(queryKey) });
  return forgetting !== undefined && forgetting.state.status !== 'error';
}

/**
 * Returns the key of the mutations that change what a query returns and whose changes are shown before they are saved.
 */
export function savingKey(queryKey: QueryKey): QueryKey {
  return ['saving', ...queryKey];
}

/** How often stale queries are looked for, in milliseconds. The node itself batches events to a few a second. */
const TICK_MS = 100;

interface Stale {
  readonly key: QueryKey;
  /** The shortest time between two refetches, in milliseconds. */
  readonly everyMs: number;
}

/**
 * Refetches queries that events made stale. It batches, never refetches one query twice at the same time, and pauses
 * while the page is hidden.
 */
export interface Refresher {
  /** Marks a key prefix as stale. Its active queries are refetched at most once in `everyMs` milliseconds. */
  mark(key: QueryKey, everyMs: number): void;
  stop(): void;
}

/**
 * Returns a refresher. To invalidate at each event would cancel and restart a running refetch: at 200 readings a second
 * a slow answer would never arrive. So a stale key waits until its refetch has ended. The longer a refetch takes, the
 * rarer it is: it uses at most a quarter of the time.
 */
export function createRefresher(client: QueryClient): Refresher {
  const stale = new Map<string, Stale>();
  const last = new Map<string, { at: number; tookMs: number }>();

  const refetch = (id: string, { key }: Stale): void => {
    const started = performance.now();
    stale.delete(id);
    last.set(id, { at: started, tookMs: 0 });
    const predicate = ({ queryKey }: Query) => !isBeingForgotten(client, queryKey);
    void client.invalidateQueries({ queryKey: key, predicate }).then(() => {
      last.set(id, { at: started, tookMs: performance.now() - started });
    });
  };

  const tick = (): void => {
    if (document.visibilityState === 'hidden') return;
    const now = performance.now();
    for (const [id, entry] of stale) {
      const before = last.get(id);
      if (before !== undefined && now - before.at < Math.max(entry.everyMs, 4 * before.tookMs)) continue;
      if (client.isFetching({ queryKey: entry.key }) > 0) continue;
      // The node's answer would hide a change that waits to be saved.
      if (client.isMutating({ mutationKey: savingKey(entry.key) }) > 0) continue;
      refetch(id, entry);
    }
  };
  const timer = window.setInterval(tick, TICK_MS);
  document.addEventListener('visibilitychange', tick);

  return {
    mark: (key, everyMs) => {
      const id = JSON.stringify(key);
      if (!stale.has(id)) stale.set(id, { key, everyMs });
    },
    stop: () => {
      window.clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
    },
  };
}
