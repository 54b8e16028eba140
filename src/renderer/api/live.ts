import type { QueryClient } from '@tanstack/react-query';
import type { EventName, EventPayload } from '../../shared/owner-api/events.ts';
import type { NodeConnection } from './node-connection.ts';
import { queryKeys } from './queries/client.ts';
import { createRefresher } from './refresher.ts';

/**
 * At most twice a second for what many readings make stale: with the node's gathering (250 ms), the refresher's tick and
 * the call itself, a reading is still shown within a second of its arrival when it follows another one closely.
 */
const REFETCH_MS = 500;

/** Listens to the node and refetches what its events make stale. Returns what ends it. */
export function startLive(client: QueryClient, node: NodeConnection): () => void {
  const keys = queryKeys(node);
  const refresher = createRefresher(client);
  let wasConnected = false;
  const onEvent = <E extends EventName>(event: E, payload: EventPayload<E>): void => {
    // No page shows alerts yet.
    if (event === 'alerts' || event === 'notice') return;
    if (event === 'settings') {
      refresher.mark(keys.settings, REFETCH_MS);
      refresher.mark(keys.moves, REFETCH_MS);
      refresher.mark(keys.nodeInfo, REFETCH_MS);
      return;
    }
    if (event === 'storage' || event === 'storageFault') {
      refresher.mark(keys.storage, REFETCH_MS);
      return;
    }
    if (event === 'choices' || event === 'journal') {
      refresher.mark(event === 'choices' ? keys.choices : keys.journal, REFETCH_MS);
      return;
    }
    refresher.mark(keys.overview, REFETCH_MS);
    if (event === 'readings') {
      for (const id of (payload as EventPayload<'readings'>).devices) {
        refresher.mark(keys.device(id), REFETCH_MS);
        refresher.mark(keys.latest(id), 400);
        refresher.mark(keys.history(id), REFETCH_MS);
      }
    }
    // One may have been forgotten, and its readings with it.
    if (event === 'devices') for (const key of [keys.device(), keys.latest(), keys.history()]) refresher.mark(key, 400);
  };
  const endListening = node.api.listen(onEvent, (isConnected) => {
    node.setConnected(isConnected);
    // Events between the loss and the return are gone, and so are those of the time in which nobody looked.
    if (isConnected && wasConnected) void client.invalidateQueries({ queryKey: keys.all });
    wasConnected ||= isConnected;
  });
  return () => {
    endListening();
    refresher.stop();
  };
}
