import type { KnownDevice } from './stores-view.ts';

/**
 * Returns whether a device is the owner's. Devices in the private store are: only the local endpoint fills it. At the
 * public endpoint, a stranger can name any owner key, so the owner must confirm devices that only the public store has.
 */
export function isMine({ entries, notes }: KnownDevice): boolean {
  return entries.some(({ store }) => store === 'private') || notes.mine === true;
}

/**
 * Returns whether a device that is not `mine` names one of the owner's keys, and the owner has not said whose it is.
 */
export function isClaimed(known: KnownDevice, owners: ReadonlySet<string>): boolean {
  return !isMine(known) && known.notes.mine === null && owners.has(known.entries[0]!.device.ownerPubkey);
}
