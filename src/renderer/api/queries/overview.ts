import {
  type QueryClient,
  queryOptions,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { type NodeConnection, useNode } from '../node-connection.ts';
import { queryKeys } from './client.ts';

function nodeInfoQuery(node: NodeConnection) {
  return queryOptions({ queryKey: queryKeys(node).nodeInfo, queryFn: () => node.api.call('nodeInfo', {}) });
}

function overviewQuery(node: NodeConnection) {
  return queryOptions({
    queryKey: queryKeys(node).overview,
    queryFn: async () => {
      const dayStart = new Date().setHours(0, 0, 0, 0);
      const overview = await node.api.call('overview', { dayStart });
      node.clock.set(overview.now);
      return overview;
    },
  });
}

/** Queries the identity of the node and its addresses. */
export function useNodeInfo() {
  return useQuery(nodeInfoQuery(useNode()));
}

/** Fetches the overview before the first component needs it. */
export function prefetchOverview(client: QueryClient, node: NodeConnection): void {
  void client.prefetchQuery(overviewQuery(node));
  void client.prefetchQuery(nodeInfoQuery(node));
}

/**
 * Queries all devices with their newest values, the unregistered devices that send readings, and the totals. Refetched
 * at most twice a second.
 */
export function useOverview() {
  return useQuery({
    ...overviewQuery(useNode()),
    // There is no event for a new day or for values that leave the sparklines' hours.
    refetchInterval: 60_000,
  });
}

/** Queries the overviews of the nodes, in order. */
export function useOverviews(nodes: readonly NodeConnection[]) {
  return useQueries({ queries: nodes.map((node) => ({ ...overviewQuery(node), refetchInterval: 60_000 })) });
}

/** Queries whether the stores accept writes, and the free space. */
export function useStorage() {
  const node = useNode();
  return useQuery({
    queryKey: queryKeys(node).storage,
    queryFn: () => node.api.call('storage', {}),
    // Other programs fill the disk too, and there is no event while a store keeps refusing.
    refetchInterval: 30_000,
  });
}

/** Starts simulated devices, so that an owner without a device can see how the view looks. */
export function useStartDemo() {
  const node = useNode();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => node.api.call('startDemo', {}),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys(node).overview }),
  });
}

/** Stops the simulated devices and deletes them and their readings. */
export function useStopDemo() {
  const node = useNode();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => node.api.call('stopDemo', {}),
    // If the call is interrupted, some of them may be deleted already.
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys(node).overview }),
  });
}
