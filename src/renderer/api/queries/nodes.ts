import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import type { Input } from '../../../shared/owner-api/contract.ts';
import { type NodeConnection, useNode } from '../node-connection.ts';
import { otherNodesOf } from '../other-nodes.ts';
import { type CallMutation, queryKeys } from './client.ts';

/** Returns the query of the other nodes at the page's own node. */
export function nodesQuery({ own }: NodeConnection) {
  return queryOptions({
    queryKey: queryKeys(own).nodes,
    queryFn: async () => (own.me.role === 'owner' ? (await own.api.call('nodes', {})).nodes : []),
  });
}

/** Queries the other nodes at the page's own node. */
export function useOtherNodes() {
  return useQuery(nodesQuery(useNode()));
}

/** Returns the page's own node, then the others. */
export function useNodes(): readonly NodeConnection[] {
  const { own } = useNode();
  const store = otherNodesOf(own);
  const others = useSyncExternalStore(store.subscribe, store.all);
  return useMemo(() => [own, ...others], [own, others]);
}

/** Queries who has cosigned the logs of the page's own node, and which logs of others it refuses to cosign. */
export function useWitnesses() {
  const { own } = useNode();
  return useQuery({
    queryKey: queryKeys(own).witnesses,
    queryFn: () => own.api.call('witnesses', {}),
  });
}

/** Looks up the node of a pairing link. */
export function useLookAtNode() {
  const { own } = useNode();
  return useMutation({ mutationFn: (link: string) => own.api.call('lookAtNode', { link }) });
}

/** Adds, renames or removes another node. */
export function useNodeChange<M extends 'addNode' | 'renameNode' | 'removeNode'>(method: M): CallMutation<M> {
  const { own } = useNode();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input<M>) => own.api.call(method, input),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys(own).nodes }),
  });
}
