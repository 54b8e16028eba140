import { clientKey } from '../../common/client-key.ts';

/** Something that anybody on the network can add to a list: only a signed block shows that there is such a device. */
export interface Unproven {
  /** Whether a block with a valid signature came under its id. */
  readonly isSigned: boolean;
  /** The address that it came from. */
  readonly address: string;
}

/** How many of these came from an address, counted as rate limits count them. */
export function countOf(entries: readonly Unproven[], address: string): number {
  const host = clientKey(address);
  return entries.filter((entry) => clientKey(entry.address) === host).length;
}

/**
 * Chooses the entries that go first when a list is full: those without a signed block, of these the ones of the address
 * with the most of them, of these the oldest. So one address with invented ids pushes out its own. `entries` are in the
 * order in which they came.
 */
export function firstToGo<T extends Unproven>(entries: readonly T[]): T | undefined {
  const unsigned = entries.filter(({ isSigned }) => !isSigned);
  const from = unsigned.length > 0 ? unsigned : entries;
  const counts = new Map<string, number>();
  for (const { address } of from) counts.set(clientKey(address), (counts.get(clientKey(address)) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return from.find(({ address }) => counts.get(clientKey(address)) === most);
}
