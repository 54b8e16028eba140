import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Input } from '../../../shared/owner-api/contract.ts';
import type { Cycle } from '../../../shared/owner-data/cycles.ts';
import { useNode } from '../node-connection.ts';
import { queryKeys } from './client.ts';

const NO_CYCLES: readonly Cycle[] = [];

/** The crop cycles at the node that is shown; a node of an earlier version has none. */
export function useCycles(): readonly Cycle[] {
  const node = useNode();
  const { data } = useQuery({ queryKey: queryKeys(node).cycles, queryFn: () => node.api.call('cycles', {}) });
  return data?.cycles ?? NO_CYCLES;
}

/** Writes or deletes a crop cycle; the rules of its place follow. */
export function useCycleCall<M extends 'writeCycle' | 'deleteCycle'>(method: M) {
  const node = useNode();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input<M>) => node.api.call(method, input),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys(node).cycles }),
  });
}
