import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import type { Alert } from '../../shared/alerts/alert.ts';
import type { EventName, EventPayload } from '../../shared/owner-api/events.ts';
import type { NodeConnection } from './node-connection.ts';
import { otherNodesOf } from './other-nodes.ts';
import { queryKeys } from './queries/client.ts';
import { nodesQuery } from './queries/nodes.ts';
import { createRefresher } from './refresher.ts';

/**
 * At most twice a second for what many readings make stale: with the node's gathering (250 ms), the refresher's tick and
 * the call itself, a reading is still shown within a second of its arrival when it follows another one closely.
 */
const REFETCH_MS = 500;

type Keys = ReturnType<typeof queryKeys>;

/** The queries that an event makes stale. */
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
  // One may have been forgotten, and its readings with it.
  devices: (keys) => [keys.overview, keys.device(), keys.latest(), keys.history(), keys.alertSetup],
  attempts: (keys) => [keys.overview],
  connections: (keys) => [keys.connections],
  // The devices that a rule is for depend on the groups.
  choices: (keys) => [keys.choices, keys.tasks, keys.cycles, keys.alertSetup],
  // A calibration in it corrects what is shown.
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
  // A newer node may tell an event that this page does not know.
  return stale?.(keys, payload) ?? [keys.overview];
}

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
    // An event of alerts tells of no newer or further value of a live one.
    const { devices } = payload as EventPayload<'readings'>;
    const live = client.getQueryData<readonly Alert[]>(keys.liveAlerts) ?? [];
    if (live.some(({ device }) => device !== null && devices.includes(device))) refresher.mark(keys.alerts, REFETCH_MS);
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

/** Keeps connections to the other nodes that the page's own one has, for as long as the page is there. */
export function startOtherNodes(client: QueryClient, own: NodeConnection): void {
  const others = otherNodesOf(own);
  // Their notices are shown where they are told: at those nodes.
  const live = (node: NodeConnection) => startLive(client, node, () => {});
  new QueryObserver(client, nodesQuery(own)).subscribe(({ data }) => {
    if (data !== undefined) others.follow(data, live);
  });
}
