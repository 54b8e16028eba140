/** The beginning of every keystore in base64: its nine magic bytes are twelve letters. */
export const KEYSTORE_BASE64_START = 'V0VMTEhLRVlT';

/** How many phrases and seeds a keystore may hold. */
export const MAX_SECRETS = 100;

/** How many field keys it may hold. */
export const MAX_FIELD_KEYS = 10_000;

/** The largest keystore file: one that is full, with the longest labels and phrases, fits. */
export const MAX_KEYSTORE_BYTES = 3 * 1024 * 1024;

/** The longest label of a secret, in characters (code points). */
export const MAX_LABEL_LENGTH = 200;
