import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Input } from '../../../shared/owner-api/contract.ts';
import { useNode } from '../node-connection.ts';
import { queryKeys } from './client.ts';

/** There is no event for message counts. */
const COUNTED_MS = 5000;

/** Queries the connections to programs that can see the devices. */
export function useConnections() {
  const node = useNode();
  return useQuery({
    queryKey: queryKeys(node).connections,
    queryFn: () => node.api.call('connections', {}),
    refetchInterval: COUNTED_MS,
  });
}

/** Replaces a secret of a connection; null removes it. */
export function useSetConnectionSecrets() {
  const node = useNode();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (secrets: Input<'setConnectionSecrets'>) => node.api.call('setConnectionSecrets', secrets),
    onSuccess: (connections) => client.setQueryData(queryKeys(node).connections, connections),
  });
}

/** Sends a message to the broker in the settings, and waits until it comes back. */
export function useTestMqtt() {
  const node = useNode();
  return useMutation({ mutationFn: () => node.api.call('testMqtt', {}) });
}
