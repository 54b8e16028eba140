import {
  type QueryClient,
  QueryObserver,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import type { Input } from '../../../shared/owner-api/contract.ts';
import { startLive } from '../live.ts';
import { type NodeConnection, useNode } from '../node-connection.ts';
import { otherNodesOf } from '../other-nodes.ts';
import { queryKeys } from './client.ts';

function nodesQuery({ home }: NodeConnection) {
  return queryOptions({
    queryKey: queryKeys(home).nodes,
    queryFn: async () => (home.me.role === 'owner' ? (await home.api.call('nodes', {})).nodes : []),
  });
}

/** Keeps connections to the other nodes that the page's own one has, for as long as the page is there. */
export function startOtherNodes(client: QueryClient, home: NodeConnection): void {
  const others = otherNodesOf(home);
  // Their notices are shown where they are told: at those nodes.
  const live = (node: NodeConnection) => startLive(client, node, () => {});
  new QueryObserver(client, nodesQuery(home)).subscribe(({ data }) => {
    if (data !== undefined) others.follow(data, live);
  });
}

/** The other nodes, as the page's own one has them. */
export function useOtherNodes() {
  return useQuery(nodesQuery(useNode()));
}

/** The page's own node, then the others. */
export function useNodes(): readonly NodeConnection[] {
  const { home } = useNode();
  const store = otherNodesOf(home);
  const others = useSyncExternalStore(store.subscribe, store.all);
  return useMemo(() => [home, ...others], [home, others]);
}

/** Looks where a pairing link leads. */
export function useLookAtNode() {
  const { home } = useNode();
  return useMutation({ mutationFn: (link: string) => home.api.call('lookAtNode', { link }) });
}

/** Adds, renames or removes another node. */
export function useNodeChange<M extends 'addNode' | 'renameNode' | 'removeNode'>(method: M) {
  const { home } = useNode();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input<M>) => home.api.call(method, input),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys(home).nodes }),
  });
}
