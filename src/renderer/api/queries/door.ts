import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Input } from '../../../shared/owner-api/contract.ts';
import type { DoorView } from '../../../shared/owner-api/door.ts';
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

/** Makes a code that pairs one phone, person or app. */
export function useOpenPairing() {
  const node = useNode();
  return useMutation({ mutationFn: (offered: Input<'openPairing'>) => node.api.call('openPairing', offered) });
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

/** Ends this page's own pairing. */
export function useLeave() {
  const node = useNode();
  return useMutation({
    mutationFn: () => node.api.call('leave', {}),
    onSuccess: () => window.location.reload(),
  });
}
