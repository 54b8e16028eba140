import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNode } from '../node-connection.ts';
import { queryKeys } from './client.ts';

/** Queries the move of the data folder, and the folders that earlier moves left behind. */
export function useMoves() {
  const node = useNode();
  return useQuery({ queryKey: queryKeys(node).moves, queryFn: () => node.api.call('getMoves', {}) });
}

/** Starts to move the data folder. The mutation's data is the reason why that is not possible, or null. */
export function useMoveData(onBegun: () => void) {
  const node = useNode();
  return useMutation({
    mutationFn: async (to: string) => (await node.api.call('moveData', { to })).problem,
    onSuccess: (problem) => {
      if (problem === null) onBegun();
    },
  });
}

/** Cancels the running move of the data folder. */
export function useCancelMove() {
  const node = useNode();
  return useMutation({ mutationFn: () => node.api.call('cancelMove', {}) });
}

/**
 * Makes a node that could not start use another folder. The mutation's data is the reason why that is not possible, or
 * null.
 */
export function useUseDataDir() {
  const node = useNode();
  return useMutation({
    mutationFn: async (input: { path: string; startOver: boolean }) =>
      (await node.api.call('useDataDir', input)).problem,
  });
}

/** Deletes the folder that a move left behind. Fails if its content has changed. */
export function useDeleteOldData(path: string) {
  const node = useNode();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const { deleted } = await node.api.call('deleteOldData', { path, confirm: path });
      if (!deleted) throw new Error('changed');
    },
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys(node).moves }),
  });
}
