import { useMutation, useQuery } from '@tanstack/react-query';
import type { Input } from '../../../shared/owner-api/contract.ts';
import { useNode } from '../node-connection.ts';
import { queryKeys } from './client.ts';

/** While its page is open, a device is asked this often. */
const ASK_EVERY_MS = 30_000;

/** The device's own status page, asked for as long as this is shown; without an address by its name on the network. */
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

/** Asks whichever device is at an address. */
export function useAskAddress() {
  const node = useNode();
  return useMutation({ mutationFn: (address: string) => node.api.call('askDevice', { id: null, address }) });
}

/** Asks the devices that are known. */
export function useFindDevices() {
  const node = useNode();
  return useMutation({ mutationFn: () => node.api.call('findDevices', {}) });
}

/** Tells a device where the gate is. */
export function usePointDevice() {
  const node = useNode();
  return useMutation({ mutationFn: (input: Input<'pointDevice'>) => node.api.call('pointDevice', input) });
}
