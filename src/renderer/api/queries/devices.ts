import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Input } from '../../../shared/owner-api/contract.ts';
import type { StoreName } from '../../../shared/protocol/codes.ts';
import { useNode } from '../node-connection.ts';
import { forgettingKey } from '../refresher.ts';
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

/** The page of a device that is gone is left by then. */
const LEAVES_IN_MS = 5000;

/**
 * Deletes a device and its readings from one store. `isLast`: no other store knows it, so that nothing more is asked of it;
 * each answer would be a 404.
 */
export function useForgetDevice(id: string, isLast: boolean) {
  const node = useNode();
  const client = useQueryClient();
  const keys = queryKeys(node);
  const ofDevice = [keys.device(id), keys.latest(id), keys.history(id)];
  return useMutation({
    ...(isLast ? { mutationKey: forgettingKey(keys.device(id)), gcTime: LEAVES_IN_MS } : {}),
    mutationFn: ({ store, keepsLog }: { readonly store: StoreName; readonly keepsLog: boolean }) =>
      node.api.call('forgetDevice', { id, store, confirm: id, keepsLog }),
    onMutate: async () => {
      if (isLast) await Promise.all(ofDevice.map((queryKey) => client.cancelQueries({ queryKey })));
    },
    // Not waited for: whoever asked must leave the page of a device that is gone before the page finds that out.
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: keys.overview });
      for (const queryKey of ofDevice) {
        void client.invalidateQueries({ queryKey, refetchType: isLast ? 'none' : 'active' });
      }
    },
    onError: () => {
      for (const queryKey of ofDevice) void client.invalidateQueries({ queryKey });
    },
  });
}
