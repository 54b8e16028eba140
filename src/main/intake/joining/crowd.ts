import { clientKey } from '../../common/client-key.ts';

/** An entry that anyone on the network can add to a list. Only a signed block proves that the device exists. */
export interface Unproven {
  /** Whether a block with a valid signature came under its id. */
  readonly isSigned: boolean;
  /** The address that sent it. */
  readonly address: string;
}

/** Returns the number of entries from an address. Addresses are grouped as for rate limits. */
export function countOf(entries: readonly Unproven[], address: string): number {
  const host = clientKey(address);
  return entries.filter((entry) => clientKey(entry.address) === host).length;
}

/**
 * Returns the entry to remove first when a list is full: one without a signed block, from the address with the most
 * such entries, the oldest of them. So an address that invents ids pushes out its own. `entries` are in order of
 * arrival.
 */
export function firstToGo<T extends Unproven>(entries: readonly T[]): T | undefined {
  const unsigned = entries.filter(({ isSigned }) => !isSigned);
  const from = unsigned.length > 0 ? unsigned : entries;
  const counts = new Map<string, number>();
  for (const { address } of from) counts.set(clientKey(address), (counts.get(clientKey(address)) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return from.find(({ address }) => counts.get(clientKey(address)) === most);
}
