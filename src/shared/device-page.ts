// The content of a device's own page. The node requests it only in the owner's network; it is unsigned.

/** A server that a device posts to, from the device's page. */
export interface ServerEntry {
  readonly name: string;
  /** `host:port` for a local server, the whole URL for an external one. */
  readonly url: string;
}

/** The two lists of servers of a device. */
export interface ServerLists {
  readonly external: readonly ServerEntry[];
  readonly local: readonly ServerEntry[];
}

/** The most servers of a kind on a device, as far as is known. */
export const MAX_SERVERS = 8;

/** The name of this program's own entry. Entries of other nodes have the same name. */
export const OWN_ENTRY = 'Wellhouse';

/** Returns whether an entry was made for a gate at one of the `former` addresses. */
export function isFormer({ name, url }: ServerEntry, former: readonly string[]): boolean {
  return name === OWN_ENTRY && former.includes(url);
}

/**
 * Returns the lists with a gate among the local servers in place of its former entries; the same lists if it is there
 * already.
 */
export function pointedTo(lists: ServerLists, server: string, former: readonly string[]): ServerLists {
  const { external, local } = lists;
  if (local.some(({ url }) => url === server)) return lists;
  const kept = local.filter((entry) => !isFormer(entry, former));
  return { external, local: [...kept, { name: OWN_ENTRY, url: server }] };
}

/** Returns whether both have the same servers in the same order. */
export function sameServers(one: ServerLists, other: ServerLists): boolean {
  const text = ({ external, local }: ServerLists) =>
    JSON.stringify([external, local].map((list) => list.map(({ name, url }) => [name, url])));
  return text(one) === text(other);
}

/** Returns the name of a device on its network, from the 12 hex digits of its MAC. */
export function localNameOf(mac: string): string {
  return `safrasense-aqua-${mac.slice(-4)}.local`;
}
