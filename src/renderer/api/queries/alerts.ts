import {
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { Alert } from '../../../shared/alerts/alert.ts';
import type { AlertOptions } from '../../../shared/alerts/channel.ts';
import type { Input, Output } from '../../../shared/owner-api/contract.ts';
import { type NodeConnection, useNode } from '../node-connection.ts';
import { type CallMutation, queryKeys } from './client.ts';

function keysOf(node: NodeConnection) {
  const { alerts, alertSetup, liveAlerts } = queryKeys(node);
  return {
    live: liveAlerts,
    history: [...alerts, 'history'],
    one: (id: string) => [...alerts, 'one', id],
    rules: [...alertSetup, 'rules'],
    channels: [...alertSetup, 'channels'],
    options: [...alertSetup, 'options'],
  };
}

function liveQuery(node: NodeConnection) {
  return queryOptions({
    queryKey: keysOf(node).live,
    queryFn: async () => (await node.api.call('alerts', {})).alerts,
  });
}

function rulesQuery(node: NodeConnection) {
  return queryOptions({
    queryKey: keysOf(node).rules,
    queryFn: async () => (await node.api.call('alertRules', {})).rules,
  });
}

/** Queries the live alerts: pending, firing, acknowledged and snoozed. */
export function useAlerts() {
  return useQuery(liveQuery(useNode()));
}

/** Returns the live alerts of each of the nodes, in order; undefined if they are not loaded. */
export function useAlertsOf(nodes: readonly NodeConnection[]) {
  return useQueries({ queries: nodes.map(liveQuery) }).map(({ data }) => data);
}

/** Returns the rules of each of the nodes, in order; undefined if they are not loaded. */
export function useAlertRulesOf(nodes: readonly NodeConnection[]) {
  return useQueries({ queries: nodes.map(rulesQuery) }).map(({ data }) => data);
}

const PAGE = 50;

/** Queries the ended alerts page by page, newest first. */
export function useAlertHistory({ device, rule }: Pick<Input<'alertHistory'>, 'device' | 'rule'>) {
  const node = useNode();
  return useInfiniteQuery({
    queryKey: [...keysOf(node).history, device, rule],
    queryFn: ({ pageParam }) => node.api.call('alertHistory', { device, rule, before: pageParam, limit: PAGE }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last.hasMore ? (last.alerts.at(-1)?.id ?? null) : null),
  });
}

const LARGEST_PAGE = 500;

/** Yields pages of the ended alerts of a device or, for null, of all. The latest end is first. */
async function* historyPages({ api }: NodeConnection, device: string | null): AsyncGenerator<readonly Alert[]> {
  for (let before: string | null = null; ; ) {
    const page: Output<'alertHistory'> = await api.call('alertHistory', {
      device,
      rule: null,
      before,
      limit: LARGEST_PAGE,
    });
    yield page.alerts;
    before = page.alerts.at(-1)?.id ?? null;
    if (!page.hasMore || before === null) return;
  }
}

/**
 * Returns the alerts of devices that fired and overlap a range of time, live or ended, the earliest first; undefined
 * until they are loaded.
 */
export function useAlertsBetween(devices: readonly string[], from: number, to: number): readonly Alert[] | undefined {
  const node = useNode();
  const live = useAlerts().data;
  const ended = useQueries({
    queries: devices.map((device) => ({
      queryKey: [...keysOf(node).history, device, 'range'],
      queryFn: async () => {
        const alerts: Alert[] = [];
        for await (const page of historyPages(node, device)) alerts.push(...page);
        return alerts;
      },
    })),
  });
  if (live === undefined || ended.some(({ data }) => data === undefined)) return undefined;
  const ofDevices = live.filter(
    ({ device, state }) => device !== null && devices.includes(device) && state !== 'pending',
  );
  return [...ended.flatMap(({ data }) => data!), ...ofDevices]
    .filter(({ since, endedAt }) => since <= to && (endedAt ?? since) >= from)
    .toSorted((a, b) => a.since - b.since);
}

/** Queries one alert, live or ended; null if no alert has this id. */
export function useAlert(id: string) {
  const node = useNode();
  return useQuery({ queryKey: keysOf(node).one(id), queryFn: () => findAlert(node, id) });
}

async function findAlert(node: NodeConnection, id: string): Promise<Alert | null> {
  const { alerts } = await node.api.call('alerts', {});
  const isIt = (alert: Alert) => alert.id === id;
  const live = alerts.find(isIt);
  if (live !== undefined) return live;
  for await (const page of historyPages(node, null)) {
    const found = page.find(isIt);
    if (found !== undefined) return found;
  }
  return null;
}

/** Queries the owner's rules and the built-in ones, each with the devices on which its values are sealed. */
export function useAlertRules() {
  return useQuery(rulesQuery(useNode()));
}

/** Queries the channels and their states. */
export function useAlertChannels() {
  const node = useNode();
  return useQuery({
    queryKey: keysOf(node).channels,
    queryFn: async () => (await node.api.call('alertChannels', {})).channels,
  });
}

/** Queries the options for all messages. */
export function useAlertOptions() {
  const node = useNode();
  return useQuery({ queryKey: keysOf(node).options, queryFn: () => node.api.call('alertOptions', {}) });
}

type AlertCall =
  | 'writeAlertRule'
  | 'deleteAlertRule'
  | 'acknowledgeAlert'
  | 'snoozeAlert'
  | 'writeAlertChannel'
  | 'deleteAlertChannel'
  | 'testAlertChannel'
  | 'alertDigest'
  | 'sendAlertDigest';

/** Returns a mutation for alerts. It is done when all alert queries have been refetched. */
export function useAlertCall<M extends AlertCall>(method: M): CallMutation<M> {
  const node = useNode();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input<M>) => node.api.call(method, input),
    onSettled: () => refreshAlerts(client, node),
  });
}

/**
 * Replaces parts of the options for all messages. The others stay as the node keeps them by then, so that two forms, or
 * two pages, don't undo each other. It is done when all alert queries have been refetched.
 */
export function useSetAlertOptions() {
  const node = useNode();
  const client = useQueryClient();
  return useMutation({
    scope: { id: 'setAlertOptions' },
    mutationFn: async (parts: Partial<AlertOptions>) =>
      node.api.call('setAlertOptions', { ...(await node.api.call('alertOptions', {})), ...parts }),
    onSettled: () => refreshAlerts(client, node),
  });
}

/** Writes several rules one after the other. */
export function useWriteRules() {
  const node = useNode();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (rules: readonly Input<'writeAlertRule'>['rule'][]) => {
      for (const rule of rules) await node.api.call('writeAlertRule', { rule });
    },
    onSettled: () => refreshAlerts(client, node),
  });
}

async function refreshAlerts(client: QueryClient, node: NodeConnection): Promise<void> {
  const { alerts, alertSetup } = queryKeys(node);
  await Promise.all([alerts, alertSetup].map((queryKey) => client.invalidateQueries({ queryKey })));
}
