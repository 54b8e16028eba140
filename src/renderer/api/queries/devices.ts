import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Input } from '../../../shared/owner-api/contract.ts';
import { useNode } from '../node-connection.ts';
import { queryKeys } from './client.ts';

/** One device with what was withheld of it and how much is stored. */
export function useDevice(id: string) {
  const node = useNode();
  return useQuery({ queryKey: queryKeys(node).device(id), queryFn: () => node.api.call('device', { id }) });
}

/** Keeps what the owner notes on a device. */
export function useSetNotes() {
  const node = useNode();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input<'setNotes'>) => node.api.call('setNotes', input),
    onSuccess: (_notes, { id }) => {
      const keys = queryKeys(node);
      return Promise.all([keys.device(id), keys.overview].map((queryKey) => client.invalidateQueries({ queryKey })));
    },
  });
}

/** Deletes a device and its readings from one store. */
export function useForgetDevice() {
  const node = useNode();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Omit<Input<'forgetDevice'>, 'confirm'>) =>
      node.api.call('forgetDevice', { ...input, confirm: input.id }),
    // Not waited for: whoever asked must leave the page of a device that is gone before the page finds that out.
    onSuccess: (_answer, { id }) => {
      const keys = queryKeys(node);
      for (const queryKey of [keys.overview, keys.device(id), keys.latest(id), keys.history(id)]) {
        void client.invalidateQueries({ queryKey });
      }
    },
  });
}
