import { useMemo, useSyncExternalStore } from 'react';
import type { DeviceSummary } from '../../shared/owner-api/devices.ts';
import { type NodeConnection, useNode } from '../api/node-connection.ts';
import { useNodes } from '../api/queries/nodes.ts';
import { useOverviews } from '../api/queries/overview.ts';
import { linkTo, type Route } from '../router/router.ts';

/** A device in a list, with its node. */
export type ListedDevice = DeviceSummary & { readonly node: NodeConnection };

/** Returns the same object for the same summary, so that a row renders only if its device changed. */
const listed = new WeakMap<DeviceSummary, ListedDevice>();

function asListed(device: DeviceSummary, node: NodeConnection): ListedDevice {
  let found = listed.get(device);
  // A node that was removed and added again has a new connection, but may have the same summary objects.
  if (found?.node !== node) {
    found = { ...device, node };
    listed.set(device, found);
  }
  return found;
}

const NONE: readonly DeviceSummary[] = [];

/**
 * Returns the devices of all nodes: all devices of the page's own node, and the owner's devices of the others. Devices
 * of strangers on another node's public endpoint are shown only at that node.
 */
export function useListedDevices(): readonly ListedDevice[] {
  const nodes = useNodes();
  const answers = useOverviews(nodes).map(({ data }) => data?.devices ?? NONE);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answers, one by one
  return useMemo(
    () =>
      nodes.flatMap((node, index) =>
        answers[index]!.filter(({ mine }) => mine || node.other === null).map((device) => asListed(device, node)),
      ),
    [nodes, ...answers],
  );
}

/** Returns the `listKey` of each hidden device of all nodes. */
export function useHiddenKeys(): ReadonlySet<string> {
  const nodes = useNodes();
  const answers = useOverviews(nodes);
  return new Set(
    nodes.flatMap((node, index) => (answers[index]?.data?.hidden ?? []).map(({ id }) => listKey({ id, node }))),
  );
}

/** Returns a key that differs for the same device at two nodes. */
export function listKey({ id, node: { routeId } }: Pick<ListedDevice, 'id' | 'node'>): string {
  return routeId === undefined ? id : `${id}@${routeId}`;
}

/** Returns the route of a device's page. */
export function deviceRoute(id: string, { routeId }: NodeConnection): Extract<Route, { page: 'device' }> {
  return routeId === undefined ? { page: 'device', id } : { page: 'device', id, node: routeId };
}

/** Returns the address of a device's page at the shown node. */
export function useDeviceLink(id: string): string {
  return linkTo(deviceRoute(id, useNode()));
}

const NEVER = () => () => {};

/** Returns the name of another node; null for the page's own node. */
export function useOtherName({ other }: NodeConnection): string | null {
  return useSyncExternalStore(other?.subscribe ?? NEVER, () => other?.get().name ?? null);
}
