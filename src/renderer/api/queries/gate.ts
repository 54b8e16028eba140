import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Input } from '../../../shared/owner-api/contract.ts';
import type { GateView } from '../../../shared/owner-api/gate.ts';
import { type NodeConnection, useNode } from '../node-connection.ts';
import { queryKeys } from './client.ts';

/** The state of the gate. Joining closes at `closesAt`, by performance.now(); null if it is closed. */
export interface Gate extends GateView {
  readonly closesAt: number | null;
}

function asTold(view: GateView): Gate {
  const { leftMs } = view.joining;
  return { ...view, closesAt: leftMs === null ? null : performance.now() + leftMs };
}

function keep(client: QueryClient, node: NodeConnection, view: GateView): void {
  client.setQueryData<Gate>(queryKeys(node).gate, asTold(view));
}

/** Queries where the gate listens, whether devices may join, and which devices tried. */
export function useGate() {
  const node = useNode();
  return useQuery({ queryKey: queryKeys(node).gate, queryFn: async () => asTold(await node.api.call('gate', {})) });
}

/** Allows devices to join for ten minutes, or until one has joined. */
export function useOpenJoining() {
  const node = useNode();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (closesAfterOne: boolean) => node.api.call('openJoining', { closesAfterOne }),
    onSuccess: (view) => keep(client, node, view),
  });
}

/** Stops devices from joining. */
export function useCloseJoining() {
  const node = useNode();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => node.api.call('closeJoining', {}),
    onSuccess: (view) => keep(client, node, view),
  });
}

/** Registers a device that tried to join for the owner. */
export function useAdoptDevice() {
  const node = useNode();
  const client = useQueryClient();
  const keys = queryKeys(node);
  return useMutation({
    mutationFn: (device: Input<'adoptDevice'>) => node.api.call('adoptDevice', device),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: keys.gate });
      void client.invalidateQueries({ queryKey: keys.overview });
    },
  });
}

/** Removes a registration from the list, even if it comes again. */
export function useDismissRegistration() {
  const node = useNode();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (registration: Input<'dismissRegistration'>) => node.api.call('dismissRegistration', registration),
    onSuccess: (view) => keep(client, node, view),
    // It is no longer listed: another page has dismissed or adopted it.
    onError: () => client.invalidateQueries({ queryKey: queryKeys(node).gate }),
  });
}
