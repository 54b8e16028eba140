import { QueryClient } from '@tanstack/react-query';
import { errorCode } from '../errors.ts';
import type { NodeConnection } from '../node-connection.ts';

/** Query keys of a node, from the general to the particular: an event marks a prefix as stale. Without a device: those of all. */
export function queryKeys({ id }: Pick<NodeConnection, 'id'>) {
  return {
    all: [id],
    nodeInfo: [id, 'nodeInfo'],
    overview: [id, 'overview'],
    storage: [id, 'storage'],
    damagedFiles: [id, 'damagedFiles'],
    space: [id, 'space'],
    retention: [id, 'retention'],
    careState: [id, 'careState'],
    settings: [id, 'settings'],
    moves: [id, 'moves'],
    gate: [id, 'gate'],
    door: [id, 'door'],
    connections: [id, 'connections'],
    audit: [id, 'audit'],
    security: [id, 'security'],
    nodes: [id, 'nodes'],
    witnesses: [id, 'witnesses'],
    backups: [id, 'backups'],
    exports: [id, 'exports'],
    exportSize: [id, 'exportSize'],
    choices: [id, 'choices'],
    journal: [id, 'journal'],
    /** The pictures of photos, which never change. */
    photo: [id, 'photo'],
    tasks: [id, 'tasks'],
    cycles: [id, 'cycles'],
    alerts: [id, 'alerts'],
    liveAlerts: [id, 'alerts', 'live'],
    /** Rules, channels and options. */
    alertSetup: [id, 'alertSetup'],
    device: (deviceId?: string) => keyOf(id, 'device', deviceId),
    latest: (deviceId?: string) => keyOf(id, 'latest', deviceId),
    history: (deviceId?: string) => keyOf(id, 'history', deviceId),
    /** The history of the last days, for forecasts: single readings change nothing about it. */
    trend: (deviceId?: string) => keyOf(id, 'trend', deviceId),
  } as const;
}

function keyOf(id: string, subject: string, deviceId: string | undefined): readonly string[] {
  return deviceId === undefined ? [id, subject] : [id, subject, deviceId];
}

/** The client of all queries. Live events tell what is stale, so nothing is refetched for its age alone. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The node is on this machine: whether the browser thinks itself online says nothing.
        networkMode: 'always',
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: 60_000,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: (failures, error) => errorCode(error) === 'disconnected' && failures < 2,
        retryDelay: 400,
      },
      mutations: { networkMode: 'always' },
    },
  });
}
