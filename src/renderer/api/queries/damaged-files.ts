import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNode } from '../node-connection.ts';
import { queryKeys } from './client.ts';

/** Queries the damaged files of the data folder that were not dismissed, the latest first. */
export function useDamagedFiles() {
  const node = useNode();
  return useQuery({ queryKey: queryKeys(node).damagedFiles, queryFn: () => node.api.call('damagedFiles', {}) });
}

/** Removes a file from that list for good. */
export function useDismissDamagedFile() {
  const node = useNode();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => node.api.call('dismissDamagedFile', { id }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys(node).damagedFiles }),
  });
}
