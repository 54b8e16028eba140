// Without the schemas and their library, which the first page does not need.

/** The most lines of a comparison: more can't be distinguished. */
export const MAX_LINES = 8;
/** The longest unit that the owner enters, in characters. */
export const MAX_LABEL_LENGTH = 20;
/** The longest text about a device, in characters. */
export const MAX_DEVICE_TEXT_LENGTH = 4000;
/** The longest journal entry, in characters. */
export const MAX_ENTRY_LENGTH = 2000;
