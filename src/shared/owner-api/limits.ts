// Without the schemas that apply them, and their library, which the first page has no use for.

/** The longest time that readings can be kept for by a rule, by its unit: about twenty years. */
export const MAX_KEPT = { days: 7300, weeks: 1040, months: 240 } as const;
/** The free room that compacting needs, in sizes of the file: it writes the used pages twice, to a copy and to the log. */
export const COMPACT_ROOM_FACTOR = 2.2;
/** The longest name of another node, in characters. */
export const MAX_NODE_NAME = 60;
/** The longest name of a pairing, in characters. */
export const MAX_PAIRING_NAME = 60;
