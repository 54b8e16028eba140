import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Retention } from '../../../shared/owner-api/retention.ts';
import type { StoreName } from '../../../shared/protocol/codes.ts';
import { useNode } from '../node-connection.ts';
import { queryKeys } from './client.ts';

/** The bytes that the stores take, by device. */
export function useSpace() {
  const node = useNode();
  return useQuery({
    queryKey: queryKeys(node).space,
    queryFn: () => node.api.call('space', {}),
    refetchInterval: 60_000,
  });
}

/** How long readings are kept. */
export function useRetention() {
  const node = useNode();
  return useQuery({ queryKey: queryKeys(node).retention, queryFn: () => node.api.call('retention', {}) });
}

/** Whether old readings are being deleted, or a store compacted; asked often while that is so. */
export function useCareState() {
  const node = useNode();
  return useQuery({
    queryKey: queryKeys(node).careState,
    queryFn: () => node.api.call('careState', {}),
    refetchInterval: ({ state: { data } }) =>
      data === undefined || data.deleting !== null || data.compacting !== null ? 1000 : 15_000,
  });
}

/** The readings that rules would delete; nothing is changed. */
export function usePreviewRetention() {
  const node = useNode();
  return useMutation({ mutationFn: (rules: Retention) => node.api.call('previewRetention', rules) });
}

/** Keeps rules, and begins to delete what they say. */
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

/** Gives the unused room of a store back to the disk. */
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
