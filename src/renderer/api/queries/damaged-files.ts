import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNode } from '../node-connection.ts';
import { queryKeys } from './client.ts';

/** Files of the data folder that were damaged, the latest first, until they are dismissed. */
export function useDamagedFiles() {
  const node = useNode();
  return useQuery({ queryKey: queryKeys(node).damagedFiles, queryFn: () => node.api.call('damagedFiles', {}) });
}

/** Takes one off that list, for good. */
export function useDismissDamagedFile() {
  const node = useNode();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => node.api.call('dismissDamagedFile', { id }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys(node).damagedFiles }),
  });
}
