// Kept apart from the schemas, so that the first page does not load their library.

/** The longest retention period, by unit: about twenty years. */
export const MAX_KEPT = { days: 7300, weeks: 1040, months: 240 } as const;
/** The free space that compacting needs, as a multiple of the file size. It writes the used pages to a copy and to the log. */
export const COMPACT_ROOM_FACTOR = 2.2;
/** The longest name of another node, in characters. */
export const MAX_NODE_NAME = 60;
/** The longest name of a pairing, in characters. */
export const MAX_PAIRING_NAME = 60;
