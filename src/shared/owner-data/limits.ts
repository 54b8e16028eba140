// Without the schemas and their library, which the first page does not need.

/** The most lines of a comparison: more can't be distinguished. */
export const MAX_LINES = 8;
/** The longest unit that the owner enters, in characters. */
export const MAX_LABEL_LENGTH = 20;
/** The longest text about a device, in characters. */
export const MAX_DEVICE_TEXT_LENGTH = 4000;
/** The longest journal entry, in characters. */
export const MAX_ENTRY_LENGTH = 2000;
/** The largest leaf offset in °C, to either side. */
export const MAX_LEAF_OFFSET = 20;

/** The steps of setting up a node, in their order. */
export const SETUP_STEPS = ['device', 'place', 'crop', 'phone', 'backup'] as const;
export type SetupStep = (typeof SETUP_STEPS)[number];

/** How far ahead of the node's clock an entry may be: the clock of the device that writes it may be wrong. */
const MAX_AHEAD_MS = 86_400_000;
export const TOO_FAR_AHEAD = 'the time is more than a day ahead: an entry says what happened';

/** Returns whether a time is too far in the future for a new entry. Both are in Unix milliseconds. */
export function isTooFarAhead(at: number, now: number): boolean {
  return at - now > MAX_AHEAD_MS;
}
