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
import type { Input, Output } from '../../../shared/owner-api/contract.ts';
import { type NodeConnection, useNode } from '../node-connection.ts';
import { queryKeys } from './client.ts';

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

/** The live alerts: pending, firing, acknowledged and snoozed. */
export function useAlerts() {
  return useQuery(liveQuery(useNode()));
}

/** The live alerts of each of these nodes, in their order; undefined where they are not known. */
export function useAlertsOf(nodes: readonly NodeConnection[]) {
  return useQueries({ queries: nodes.map(liveQuery) }).map(({ data }) => data);
}

/** The rules of each of these nodes, likewise. */
export function useAlertRulesOf(nodes: readonly NodeConnection[]) {
  return useQueries({ queries: nodes.map(rulesQuery) }).map(({ data }) => data);
}

const PAGE = 50;

/** The alerts that ended, newest first, a page at a time. */
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

/** The pages of ended alerts, of a device or of all, the latest end first. */
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

/** The alerts of devices that fired, live or ended, and touch a range of time, the earliest first; undefined until they are known. */
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

/** One alert, live or ended; null where there is none of this id, or none any more. */
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

/** The owner's rules and the built-in ones, each with where the node can't tell by it. */
export function useAlertRules() {
  return useQuery(rulesQuery(useNode()));
}

/** The channels and how it is with each. */
export function useAlertChannels() {
  const node = useNode();
  return useQuery({
    queryKey: keysOf(node).channels,
    queryFn: async () => (await node.api.call('alertChannels', {})).channels,
  });
}

/** The options for all messages. */
export function useAlertOptions() {
  const node = useNode();
  return useQuery({ queryKey: keysOf(node).options, queryFn: () => node.api.call('alertOptions', {}) });
}

type AlertCall =
  | 'writeAlertRule'
  | 'deleteAlertRule'
  | 'acknowledgeAlert'
  | 'snoozeAlert'
  | 'setAlertOptions'
  | 'writeAlertChannel'
  | 'deleteAlertChannel'
  | 'testAlertChannel'
  | 'alertDigest'
  | 'sendAlertDigest';

/** A call that changes something about alerts; all that is shown of them is asked for again before it is done. */
export function useAlertCall<M extends AlertCall>(method: M) {
  const node = useNode();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input<M>) => node.api.call(method, input),
    onSettled: () => refreshAlerts(client, node),
  });
}

/** Writes several rules, one after the other. */
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
