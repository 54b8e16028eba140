import type { KnownDevice } from './port.ts';

/**
 * Whether a device is the owner's: the private store takes what reaches the local endpoint alone. At the public one a
 * stranger can name any owner key, so of what only that knows the owner has to say so.
 */
export function isMine({ entries, notes }: KnownDevice): boolean {
  return entries.some(({ store }) => store === 'private') || notes.mine === true;
}

/** Whether a device that is not `mine` names one of the owner's keys, and the owner has not said whose it is. */
export function isClaimed(known: KnownDevice, owners: ReadonlySet<string>): boolean {
  return !isMine(known) && known.notes.mine === null && owners.has(known.entries[0]!.device.ownerPubkey);
}
