import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Input } from '../../../shared/owner-api/contract.ts';
import { useNode } from '../node-connection.ts';
import { CareRefused } from './backups.ts';
import { queryKeys } from './client.ts';

/** Queries the running export, and the result of the latest one. */
export function useExports() {
  const node = useNode();
  return useQuery({ queryKey: queryKeys(node).exports, queryFn: () => node.api.call('exports', {}) });
}

/** Queries how many readings an export of a range has. Does nothing if `bounds` is null. */
export function useExportSize(bounds: Input<'exportSize'> | null) {
  const node = useNode();
  return useQuery({
    queryKey: [...queryKeys(node).exportSize, bounds?.from, bounds?.to],
    queryFn: () => node.api.call('exportSize', bounds!),
    enabled: bounds !== null,
    // Counting all readings is slow, and the page says "about".
    staleTime: 60_000,
  });
}

/** Starts an export. Fails with `CareRefused` if the node refuses it. */
export function useBeginExport() {
  const node = useNode();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (input: Input<'beginExport'>) => {
      const { problem } = await node.api.call('beginExport', input);
      if (problem !== null) throw new CareRefused(problem);
    },
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys(node).exports }),
  });
}

/** Cancels the running export. */
export function useCancelExport() {
  const node = useNode();
  return useMutation({ mutationFn: () => node.api.call('cancelExport', {}) });
}
