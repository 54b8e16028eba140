import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Input } from '../../../shared/owner-api/contract.ts';
import type { Cycle } from '../../../shared/owner-data/cycles.ts';
import { useNode } from '../node-connection.ts';
import { type CallMutation, queryKeys } from './client.ts';

const NO_CYCLES: readonly Cycle[] = [];

/** Returns the crop cycles at the shown node; undefined until they are loaded. */
export function useKnownCycles(): readonly Cycle[] | undefined {
  const node = useNode();
  return useQuery({ queryKey: queryKeys(node).cycles, queryFn: () => node.api.call('cycles', {}) }).data?.cycles;
}

/** Returns the crop cycles at the shown node; empty until they are loaded, and at a node of an earlier version. */
export function useCycles(): readonly Cycle[] {
  return useKnownCycles() ?? NO_CYCLES;
}

/** Writes or deletes a crop cycle. The node updates the rules of its place. */
export function useCycleCall<M extends 'writeCycle' | 'deleteCycle'>(method: M): CallMutation<M> {
  const node = useNode();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input<M>) => node.api.call(method, input),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys(node).cycles }),
  });
}
