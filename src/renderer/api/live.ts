import type { QueryClient } from '@tanstack/react-query';
import type { Alert } from '../../shared/alerts/alert.ts';
import type { EventName, EventPayload } from '../../shared/owner-api/events.ts';
import type { NodeConnection } from './node-connection.ts';
import { otherNodesOf } from './other-nodes.ts';
import { queryKeys } from './queries/client.ts';
import { createRefresher } from './refresher.ts';

/**
 * At most twice a second for what many readings make stale: with the node's gathering (250 ms), the refresher's tick and
 * the call itself, a reading is still shown within a second of its arrival when it follows another one closely.
 */
const REFETCH_MS = 500;

/**
 * Listens to the node, refetches what its events make stale, and passes on what is to be shown as a notification.
 * Returns what ends it.
 */
export function startLive(
  client: QueryClient,
  node: NodeConnection,
  onNotice: (notice: EventPayload<'notice'>) => void,
): () => void {
  const keys = queryKeys(node);
  const refresher = createRefresher(client);
  let wasConnected = false;
  const onEvent = <E extends EventName>(event: E, payload: EventPayload<E>): void => {
    if (event === 'alerts') {
      refresher.mark(keys.alerts, REFETCH_MS);
      refresher.mark(keys.alertSetup, REFETCH_MS);
      return;
    }
    if (event === 'notice') {
      onNotice(payload as EventPayload<'notice'>);
      return;
    }
    if (event === 'settings') {
      refresher.mark(keys.settings, REFETCH_MS);
      refresher.mark(keys.moves, REFETCH_MS);
      refresher.mark(keys.backups, REFETCH_MS);
      refresher.mark(keys.gate, REFETCH_MS);
      refresher.mark(keys.door, REFETCH_MS);
      refresher.mark(keys.connections, REFETCH_MS);
      refresher.mark(keys.nodeInfo, REFETCH_MS);
      return;
    }
    if (event === 'backups') {
      refresher.mark(keys.backups, REFETCH_MS);
      return;
    }
    if (event === 'exports') {
      refresher.mark(keys.exports, REFETCH_MS);
      return;
    }
    if (event === 'door') {
      refresher.mark(keys.door, REFETCH_MS);
      return;
    }
    if (event === 'connections') {
      refresher.mark(keys.connections, REFETCH_MS);
      return;
    }
    if (event === 'nodes') {
      refresher.mark(keys.nodes, REFETCH_MS);
      return;
    }
    if (event === 'nodeSaid') {
      otherNodesOf(node).said(payload as EventPayload<'nodeSaid'>);
      return;
    }
    if (event === 'gate') {
      refresher.mark(keys.gate, REFETCH_MS);
      return;
    }
    if (event === 'storage' || event === 'storageFault') {
      refresher.mark(keys.storage, REFETCH_MS);
      return;
    }
    if (event === 'choices' || event === 'journal') {
      refresher.mark(event === 'choices' ? keys.choices : keys.journal, REFETCH_MS);
      // Which devices a rule is for depends on the groups.
      if (event === 'choices') refresher.mark(keys.alertSetup, REFETCH_MS);
      return;
    }
    refresher.mark(keys.overview, REFETCH_MS);
    if (event === 'readings') {
      const { devices } = payload as EventPayload<'readings'>;
      // The newest and furthest value of what is live: that alone is no event of its own.
      const live = client.getQueryData<readonly Alert[]>(keys.liveAlerts) ?? [];
      if (live.some(({ device }) => device !== null && devices.includes(device))) {
        refresher.mark(keys.alerts, REFETCH_MS);
      }
      for (const id of devices) {
        refresher.mark(keys.device(id), REFETCH_MS);
        refresher.mark(keys.latest(id), 400);
        refresher.mark(keys.history(id), REFETCH_MS);
      }
    }
    // One may have been forgotten, and its readings with it.
    if (event !== 'devices') return;
    for (const key of [keys.device(), keys.latest(), keys.history()]) refresher.mark(key, 400);
    refresher.mark(keys.alertSetup, REFETCH_MS);
  };
  const endListening = node.api.listen(onEvent, (isConnected) => {
    node.setConnected(isConnected);
    // Events between the loss and the return are gone, and so are those of the time in which nobody looked.
    // Another node may have been away when the page was opened: what it shows is what was seen last.
    if (isConnected && (wasConnected || node.other !== null)) void client.invalidateQueries({ queryKey: keys.all });
    wasConnected ||= isConnected;
  });
  return () => {
    endListening();
    refresher.stop();
  };
}
