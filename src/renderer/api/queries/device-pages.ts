import { useMutation, useQuery } from '@tanstack/react-query';
import type { Input } from '../../../shared/owner-api/contract.ts';
import { useNode } from '../node-connection.ts';
import { queryKeys } from './client.ts';

/** How often a device is asked while its page is open. */
const ASK_EVERY_MS = 30_000;

/**
 * Queries the device's own status page while this is shown. If `address` is null, the node looks for the device by its
 * name on the network.
 */
export function useDeviceSays(id: string, address: string | null) {
  const node = useNode();
  return useQuery({
    queryKey: [...queryKeys(node).all, 'says', id, address],
    queryFn: () => node.api.call('askDevice', { id, address }),
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.state === 'answered' ? ASK_EVERY_MS : false),
  });
}

/** Asks the device at an address. */
export function useAskAddress() {
  const node = useNode();
  return useMutation({ mutationFn: (address: string) => node.api.call('askDevice', { id: null, address }) });
}

/** Asks the known devices. */
export function useFindDevices() {
  const node = useNode();
  return useMutation({ mutationFn: () => node.api.call('findDevices', {}) });
}

/** Sends the gate's address to a device. */
export function usePointDevice() {
  const node = useNode();
  return useMutation({ mutationFn: (input: Input<'pointDevice'>) => node.api.call('pointDevice', input) });
}
