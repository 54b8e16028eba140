import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { DeviceNotes } from '../../../shared/owner-data/notes.ts';
import type { StoreName } from '../../../shared/protocol/codes.ts';
import { type Change, changed } from '../change.ts';
import { useNode } from '../node-connection.ts';
import { forgettingKey } from '../refresher.ts';
import { queryKeys } from './client.ts';

/** Queries one device, with the counts of its withheld values and stored readings. */
export function useDevice(id: string) {
  const node = useNode();
  return useQuery({ queryKey: queryKeys(node).device(id), queryFn: () => node.api.call('device', { id }) });
}

/** Replaces parts of the owner's notes on a device. The others stay as the node keeps them by then. */
export function useSetNotes() {
  const node = useNode();
  const client = useQueryClient();
  return useMutation({
    scope: { id: 'setNotes' },
    mutationFn: async ({ id, change }: { readonly id: string; readonly change: Change<DeviceNotes> }) => {
      const { notes } = await node.api.call('device', { id });
      return node.api.call('setNotes', { id, notes: changed(notes, change) });
    },
    onSuccess: (_notes, { id }) => {
      const keys = queryKeys(node);
      return Promise.all([keys.device(id), keys.overview].map((queryKey) => client.invalidateQueries({ queryKey })));
    },
  });
}

/** Within this time the page of a forgotten device is closed. */
const LEAVES_IN_MS = 5000;

/**
 * Deletes a device and its readings from one store. `isLast`: no other store has the device, so its queries are
 * stopped; each would get a 404.
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
    // Not awaited: the caller must leave the page of a forgotten device before its queries notice.
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
