import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Retention } from '../../../shared/owner-api/retention.ts';
import type { StoreName } from '../../../shared/protocol/codes.ts';
import { useNode } from '../node-connection.ts';
import { queryKeys } from './client.ts';

/** Queries the bytes that each device uses in the stores. */
export function useSpace() {
  const node = useNode();
  return useQuery({
    queryKey: queryKeys(node).space,
    queryFn: () => node.api.call('space', {}),
    refetchInterval: 60_000,
  });
}

/** Queries how long readings are kept. */
export function useRetention() {
  const node = useNode();
  return useQuery({ queryKey: queryKeys(node).retention, queryFn: () => node.api.call('retention', {}) });
}

/**
 * Queries whether old readings are being deleted or a store is being compacted. While that is so, it is refetched
 * often.
 */
export function useCareState() {
  const node = useNode();
  return useQuery({
    queryKey: queryKeys(node).careState,
    queryFn: () => node.api.call('careState', {}),
    refetchInterval: ({ state: { data } }) =>
      data === undefined || data.deleting !== null || data.compacting !== null ? 1000 : 15_000,
  });
}

/** Counts the readings that rules would delete. Changes nothing. */
export function usePreviewRetention() {
  const node = useNode();
  return useMutation({ mutationFn: (rules: Retention) => node.api.call('previewRetention', rules) });
}

/** Saves the rules and starts to delete readings by them. */
export function useSetRetention() {
  const node = useNode();
  const client = useQueryClient();
  const keys = queryKeys(node);
  return useMutation({
    mutationFn: (rules: Retention) => node.api.call('setRetention', rules),
    onSuccess: (state, rules) => {
      client.setQueryData(keys.careState, state);
      client.setQueryData(keys.retention, rules);
    },
  });
}

/** Compacts a store, which frees its unused space on the disk. */
export function useCompactStore() {
  const node = useNode();
  const client = useQueryClient();
  const keys = queryKeys(node);
  return useMutation({
    mutationFn: (store: StoreName) => node.api.call('compactStore', { store }),
    onMutate: () => client.invalidateQueries({ queryKey: keys.careState }),
    onSettled: () => {
      for (const queryKey of [keys.space, keys.storage, keys.careState]) void client.invalidateQueries({ queryKey });
    },
  });
}
