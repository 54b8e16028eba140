// Without the schemas that apply them, and their library, which the first page has no use for.

/** Lines of a comparison: more than this can't be told apart. */
export const MAX_LINES = 8;
/** The longest unit of the owner's own, in characters. */
export const MAX_LABEL_LENGTH = 20;
/** The longest text on a device, in characters. */
export const MAX_DEVICE_TEXT_LENGTH = 4000;
/** The longest note at a time, in characters. */
export const MAX_ENTRY_LENGTH = 2000;
