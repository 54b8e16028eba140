import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Input } from '../../../shared/owner-api/contract.ts';
import { useNode } from '../node-connection.ts';
import { CareRefused } from './backups.ts';
import { queryKeys } from './client.ts';

/** The export under way, and how the latest one ended. */
export function useExports() {
  const node = useNode();
  return useQuery({ queryKey: queryKeys(node).exports, queryFn: () => node.api.call('exports', {}) });
}

/** How many readings an export of a range has; null: the range is none. */
export function useExportSize(bounds: Input<'exportSize'> | null) {
  const node = useNode();
  return useQuery({
    queryKey: [...queryKeys(node).exportSize, bounds?.from, bounds?.to],
    queryFn: () => node.api.call('exportSize', bounds!),
    enabled: bounds !== null,
    // A count of all readings is no small query, and the page says "about".
    staleTime: 60_000,
  });
}

/** Begins an export; fails with `CareRefused` where the node says why not. */
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

/** Ends the export under way. */
export function useCancelExport() {
  const node = useNode();
  return useMutation({ mutationFn: () => node.api.call('cancelExport', {}) });
}
