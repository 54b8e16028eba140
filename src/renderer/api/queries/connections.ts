import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Input } from '../../../shared/owner-api/contract.ts';
import { useNode } from '../node-connection.ts';
import { queryKeys } from './client.ts';

/** Messages are counted without an event. */
const COUNTED_MS = 5000;

/** How it is with the programs that are shown the devices. */
export function useConnections() {
  const node = useNode();
  return useQuery({
    queryKey: queryKeys(node).connections,
    queryFn: () => node.api.call('connections', {}),
    refetchInterval: COUNTED_MS,
  });
}

/** Replaces a secret of a connection, or removes it (null). */
export function useSetConnectionSecrets() {
  const node = useNode();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (secrets: Input<'setConnectionSecrets'>) => node.api.call('setConnectionSecrets', secrets),
    onSuccess: (connections) => client.setQueryData(queryKeys(node).connections, connections),
  });
}

/** Sends a message to the broker of the settings, and waits for it to come back. */
export function useTestMqtt() {
  const node = useNode();
  return useMutation({ mutationFn: () => node.api.call('testMqtt', {}) });
}
