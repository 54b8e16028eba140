import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Input } from '../../../shared/owner-api/contract.ts';
import type { DoorView, OpenedPairing } from '../../../shared/owner-api/door.ts';
import { useNode } from '../node-connection.ts';
import { queryKeys } from './client.ts';

/** Last uses change without an event. */
const LOOK_EVERY_MS = 30_000;

/** Where the door listens, and who is paired. */
export function useDoor() {
  const node = useNode();
  return useQuery({
    queryKey: queryKeys(node).door,
    queryFn: () => node.api.call('door', {}),
    refetchInterval: LOOK_EVERY_MS,
  });
}

/** The code that is open, while it is for this page; undefined: it is not, or not known yet. It stays in no cache. */
export function useShownPairing(isShown: boolean): OpenedPairing | undefined {
  const node = useNode();
  const { data } = useQuery({
    queryKey: [...queryKeys(node).door, 'code'],
    queryFn: () => node.api.call('shownPairing', {}),
    enabled: isShown,
    gcTime: 0,
  });
  return isShown ? (data ?? undefined) : undefined;
}

/** Makes a code that pairs one phone, person or app. */
export function useOpenPairing() {
  const node = useNode();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (offered: Input<'openPairing'>) => node.api.call('openPairing', offered),
    // Also the code, which lies below that key.
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys(node).door }),
  });
}

function useDoorCall<T>(ask: (node: ReturnType<typeof useNode>, input: T) => Promise<DoorView>) {
  const node = useNode();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: T) => ask(node, input),
    onSuccess: (view) => client.setQueryData(queryKeys(node).door, view),
  });
}

/** Makes an open code worthless. */
export const useClosePairing = () => useDoorCall<void>((node) => node.api.call('closePairing', {}));

/** Takes a pairing away at once. */
export const useRevokePairing = () => useDoorCall<string>((node, id) => node.api.call('revokePairing', { id }));

/** Says which owners' keys open the door by a signature. */
export const useSetDoorKeys = () => useDoorCall<string[]>((node, keys) => node.api.call('setDoorKeys', { keys }));

/** Makes another authority, which phones have to be told to trust. */
export const useReplaceAuthority = () => useDoorCall<void>((node) => node.api.call('replaceAuthority', {}));

/** Ends this page's own pairing. */
export function useLeave() {
  const node = useNode();
  return useMutation({
    mutationFn: () => node.api.call('leave', {}),
    onSuccess: () => window.location.reload(),
  });
}
