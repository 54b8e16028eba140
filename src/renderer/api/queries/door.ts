import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Input } from '../../../shared/owner-api/contract.ts';
import type { DoorView, OpenedPairing } from '../../../shared/owner-api/door.ts';
import { useNode } from '../node-connection.ts';
import { queryKeys } from './client.ts';

/** There is no event for the times of last use. */
const LOOK_EVERY_MS = 30_000;

/** Queries where the door listens, and who is paired. */
export function useDoor() {
  const node = useNode();
  return useQuery({
    queryKey: queryKeys(node).door,
    queryFn: () => node.api.call('door', {}),
    refetchInterval: LOOK_EVERY_MS,
  });
}

/**
 * Returns the open pairing code if it is for this page; undefined if it is not, or until it is loaded. It is not
 * cached.
 */
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

/** Creates a code that pairs one phone, person or app. */
export function useOpenPairing() {
  const node = useNode();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (offered: Input<'openPairing'>) => node.api.call('openPairing', offered),
    // Also refetches the code, whose key is below this one.
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

/** Revokes an open pairing code. */
export const useClosePairing = () => useDoorCall<void>((node) => node.api.call('closePairing', {}));

/** Revokes a pairing at once. */
export const useRevokePairing = () => useDoorCall<string>((node, id) => node.api.call('revokePairing', { id }));

/** Sets the owners' keys that open the door by a signature. */
export const useSetDoorKeys = () => useDoorCall<string[]>((node, keys) => node.api.call('setDoorKeys', { keys }));

/** Creates a new certificate authority. Phones have to be told to trust it. */
export const useReplaceAuthority = () => useDoorCall<void>((node) => node.api.call('replaceAuthority', {}));

/** Ends this page's own pairing. */
export function useLeave() {
  const node = useNode();
  return useMutation({
    mutationFn: () => node.api.call('leave', {}),
    onSuccess: () => window.location.reload(),
  });
}
