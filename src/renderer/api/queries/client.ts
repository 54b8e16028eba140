import { QueryClient, type UseMutationResult } from '@tanstack/react-query';
import type { Input, MethodName, Output } from '../../../shared/owner-api/contract.ts';
import { errorCode } from '../errors.ts';
import type { NodeConnection } from '../node-connection.ts';

/**
 * The result of a hook that calls one of several methods. Without the name, the compiler writes the whole contract into
 * the hook's declaration.
 */
export type CallMutation<M extends MethodName> = UseMutationResult<Output<M>, Error, Input<M>>;

/**
 * Returns the query keys of a node, from general to specific: an event marks a prefix as stale. Without a device, a key
 * stands for all devices.
 */
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
    /** The image files of photos, which never change. */
    photo: [id, 'photo'],
    tasks: [id, 'tasks'],
    cycles: [id, 'cycles'],
    alerts: [id, 'alerts'],
    liveAlerts: [id, 'alerts', 'live'],
    /** The rules, channels and options. */
    alertSetup: [id, 'alertSetup'],
    device: (deviceId?: string) => keyOf(id, 'device', deviceId),
    latest: (deviceId?: string) => keyOf(id, 'latest', deviceId),
    history: (deviceId?: string) => keyOf(id, 'history', deviceId),
    /** The history of the last days, for forecasts. Single readings do not make it stale. */
    trend: (deviceId?: string) => keyOf(id, 'trend', deviceId),
  } as const;
}

function keyOf(id: string, subject: string, deviceId: string | undefined): readonly string[] {
  return deviceId === undefined ? [id, subject] : [id, subject, deviceId];
}

/**
 * Returns the client of all queries. Events tell which queries are stale, so nothing is refetched because of its age.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The node may be on this machine, so the browser's online state says nothing about it.
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
