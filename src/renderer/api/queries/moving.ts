import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNode } from '../node-connection.ts';
import { queryKeys } from './client.ts';

/** The move of the data folder, and what earlier ones left behind. */
export function useMoves() {
  const node = useNode();
  return useQuery({ queryKey: queryKeys(node).moves, queryFn: () => node.api.call('getMoves', {}) });
}

/** Begins to move the data folder; its data is why it can't be moved there, or null. */
export function useMoveData(onBegun: () => void) {
  const node = useNode();
  return useMutation({
    mutationFn: async (to: string) => (await node.api.call('moveData', { to })).problem,
    onSuccess: (problem) => {
      if (problem === null) onBegun();
    },
  });
}

/** Ends a move of the data folder that is under way. */
export function useCancelMove() {
  const node = useNode();
  return useMutation({ mutationFn: () => node.api.call('cancelMove', {}) });
}

/** Has a node that could not start use another folder; its data is why that can't be taken, or null. */
export function useUseDataDir() {
  const node = useNode();
  return useMutation({
    mutationFn: async (input: { path: string; startOver: boolean }) =>
      (await node.api.call('useDataDir', input)).problem,
  });
}

/** Deletes the folder that a move left behind. Fails where it holds something else by now. */
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
