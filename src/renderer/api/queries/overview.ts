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

/** The identity of the node and its addresses. */
export function useNodeInfo() {
  return useQuery(nodeInfoQuery(useNode()));
}

/** Asks for the overview before anything is there to show it. */
export function prefetchOverview(client: QueryClient, node: NodeConnection): void {
  void client.prefetchQuery(overviewQuery(node));
  void client.prefetchQuery(nodeInfoQuery(node));
}

/** All devices with their newest values, the devices that knock, and the totals; refetched at most twice a second. */
export function useOverview() {
  return useQuery({
    ...overviewQuery(useNode()),
    // A new day, and what falls out of the sparklines' hours, come without an event.
    refetchInterval: 60_000,
  });
}

/** The overviews of these nodes, in their order. */
export function useOverviews(nodes: readonly NodeConnection[]) {
  return useQueries({ queries: nodes.map((node) => ({ ...overviewQuery(node), refetchInterval: 60_000 })) });
}

/** Whether the stores take writes, and how much room there is. */
export function useStorage() {
  const node = useNode();
  return useQuery({
    queryKey: queryKeys(node).storage,
    queryFn: () => node.api.call('storage', {}),
    // Others fill the disk too, and a refusal goes on without an event.
    refetchInterval: 30_000,
  });
}

/** Starts simulated devices, so that an owner without a device sees how it looks. */
export function useStartDemo() {
  const node = useNode();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => node.api.call('startDemo', {}),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys(node).overview }),
  });
}

/** Stops the simulated devices and removes them with what they sent. */
export function useStopDemo() {
  const node = useNode();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => node.api.call('stopDemo', {}),
    // Cut off in the middle, some are gone already.
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys(node).overview }),
  });
}
