import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import type { Alert } from '../../shared/alerts/alert.ts';
import type { EventName, EventPayload } from '../../shared/owner-api/events.ts';
import type { NodeConnection } from './node-connection.ts';
import { otherNodesOf } from './other-nodes.ts';
import { queryKeys } from './queries/client.ts';
import { nodesQuery } from './queries/nodes.ts';
import { createRefresher } from './refresher.ts';

/**
 * Queries that depend on readings are refetched at most twice a second. With the node's batching (250 ms), the
 * refresher's tick and the call itself, a reading is shown within a second of its arrival even right after another one.
 */
const REFETCH_MS = 500;

type Keys = ReturnType<typeof queryKeys>;

/** The queries that each event makes stale. */
const STALE: {
  readonly [E in Exclude<EventName, 'notice' | 'nodeSaid'>]: (
    keys: Keys,
    payload: EventPayload<E>,
  ) => readonly (readonly string[])[];
} = {
  readings: (keys, { devices }) => [
    keys.overview,
    ...devices.flatMap((id) => [keys.device(id), keys.latest(id), keys.history(id)]),
  ],
  // A device and its readings may have been forgotten.
  devices: (keys) => [keys.overview, keys.device(), keys.latest(), keys.history(), keys.alertSetup],
  attempts: (keys) => [keys.overview],
  connections: (keys) => [keys.connections],
  // The devices of a rule depend on the groups.
  choices: (keys) => [keys.choices, keys.tasks, keys.cycles, keys.alertSetup],
  // The journal may have a new calibration, which corrects the displayed values.
  journal: (keys) => [keys.journal, keys.overview, keys.device(), keys.history(), keys.trend()],
  storage: (keys) => [keys.storage],
  storageFault: (keys) => [keys.storage],
  alerts: (keys) => [keys.alerts, keys.alertSetup],
  backups: (keys) => [keys.backups],
  exports: (keys) => [keys.exports],
  gate: (keys) => [keys.gate],
  door: (keys) => [keys.door],
  nodes: (keys) => [keys.nodes],
  settings: (keys) => [keys.settings, keys.moves, keys.backups, keys.gate, keys.door, keys.connections, keys.nodeInfo],
};

function staleBy<E extends EventName>(keys: Keys, event: E, payload: EventPayload<E>): readonly (readonly string[])[] {
  const stale = (
    STALE as Partial<Record<EventName, (keys: Keys, payload: EventPayload<E>) => readonly (readonly string[])[]>>
  )[event];
  // A newer node may send an event that this page does not know.
  return stale?.(keys, payload) ?? [keys.overview];
}

/**
 * Listens to the node, refetches the queries that its events make stale, and passes on notices. Returns a function that
 * stops it.
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
    if (event === 'notice') {
      onNotice(payload as EventPayload<'notice'>);
      return;
    }
    if (event === 'nodeSaid') {
      otherNodesOf(node).said(payload as EventPayload<'nodeSaid'>);
      return;
    }
    for (const key of staleBy(keys, event, payload)) refresher.mark(key, REFETCH_MS);
    if (event !== 'readings') return;
    // There is no alert event for a new current or most extreme value of a live alert.
    const { devices } = payload as EventPayload<'readings'>;
    const live = client.getQueryData<readonly Alert[]>(keys.liveAlerts) ?? [];
    if (live.some(({ device }) => device !== null && devices.includes(device))) refresher.mark(keys.alerts, REFETCH_MS);
  };
  const endListening = node.api.listen(onEvent, (isConnected) => {
    node.setConnected(isConnected);
    // Events between the loss and the return of the connection are missed. Another node may have been unreachable when
    // the page was opened, so its data may be old.
    if (isConnected && (wasConnected || node.other !== null)) void client.invalidateQueries({ queryKey: keys.all });
    wasConnected ||= isConnected;
  });
  return () => {
    endListening();
    refresher.stop();
  };
}

/** Keeps connections to the other nodes of the page's own node, for the life of the page. */
export function startOtherNodes(client: QueryClient, own: NodeConnection): void {
  const others = otherNodesOf(own);
  // The other nodes show their notices themselves.
  const live = (node: NodeConnection) => startLive(client, node, () => {});
  new QueryObserver(client, nodesQuery(own)).subscribe(({ data }) => {
    if (data !== undefined) others.follow(data, live);
  });
}
