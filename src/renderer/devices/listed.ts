import { useMemo, useSyncExternalStore } from 'react';
import type { DeviceSummary } from '../../shared/owner-api/devices.ts';
import { type NodeConnection, useNode } from '../api/node-connection.ts';
import { useNodes } from '../api/queries/nodes.ts';
import { useOverviews } from '../api/queries/overview.ts';
import { linkTo, type Route } from '../router/router.ts';

/** A device in a list, with the node that knows it. */
export type ListedDevice = DeviceSummary & { readonly node: NodeConnection };

/** The same object for the same summary, so that a row is drawn again only where its device changed. */
const listed = new WeakMap<DeviceSummary, ListedDevice>();

function asListed(device: DeviceSummary, node: NodeConnection): ListedDevice {
  let found = listed.get(device);
  // A node that was removed and added again has another connection; its answers may be the same objects.
  if (found?.node !== node) {
    found = { ...device, node };
    listed.set(device, found);
  }
  return found;
}

const NONE: readonly DeviceSummary[] = [];

/**
 * The devices of all nodes: of the page's own all, of the others their owner's. What others post to their public endpoint
 * is shown there.
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

/** The `listKey` of each device that its owner hid, at any node. */
export function useHiddenKeys(): ReadonlySet<string> {
  const nodes = useNodes();
  const answers = useOverviews(nodes);
  return new Set(
    nodes.flatMap((node, index) => (answers[index]?.data?.hidden ?? []).map(({ id }) => listKey({ id, node }))),
  );
}

/** The key that tells a device of one node from the same one of another. */
export function listKey({ id, node: { routeId } }: Pick<ListedDevice, 'id' | 'node'>): string {
  return routeId === undefined ? id : `${id}@${routeId}`;
}

/** The page of a device of a node. */
export function deviceRoute(id: string, { routeId }: NodeConnection): Extract<Route, { page: 'device' }> {
  return routeId === undefined ? { page: 'device', id } : { page: 'device', id, node: routeId };
}

/** The address of a device's page, at the node that is shown. */
export function useDeviceLink(id: string): string {
  return linkTo(deviceRoute(id, useNode()));
}

const NEVER = () => () => {};

/** The name of another node here; null for the page's own. */
export function useOtherName({ other }: NodeConnection): string | null {
  return useSyncExternalStore(other?.subscribe ?? NEVER, () => other?.get().name ?? null);
}
