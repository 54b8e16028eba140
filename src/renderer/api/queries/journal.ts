import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Input } from '../../../shared/owner-api/contract.ts';
import { useNode } from '../node-connection.ts';
import { queryKeys } from './client.ts';

/** Queries the journal entries for a device and for all devices, oldest first. If `device` is null, for any device. */
export function useJournal({ device, from, to }: Input<'journal'>) {
  const node = useNode();
  return useQuery({
    queryKey: [...queryKeys(node).journal, device, from, to],
    queryFn: () => node.api.call('journal', { device, from, to }),
    placeholderData: (before) => before,
  });
}

function useChanged() {
  const node = useNode();
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: queryKeys(node).journal });
}

/** Writes an entry of the journal; a new one if its id is null. */
export function useWriteEntry() {
  const node = useNode();
  const onSuccess = useChanged();
  return useMutation({
    mutationFn: (entry: Input<'writeJournalEntry'>) => node.api.call('writeJournalEntry', entry),
    onSuccess,
  });
}

export function useDeleteEntry() {
  const node = useNode();
  const onSuccess = useChanged();
  return useMutation({ mutationFn: (id: number) => node.api.call('deleteJournalEntry', { id }), onSuccess });
}
