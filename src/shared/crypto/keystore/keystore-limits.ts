/** The start of every keystore in base64: its nine magic bytes are twelve letters. */
export const KEYSTORE_BASE64_START = 'V0VMTEhLRVlT';

/** The most phrases and seeds in a keystore. */
export const MAX_SECRETS = 100;

/** The most field keys in a keystore. */
export const MAX_FIELD_KEYS = 10_000;

/** The largest keystore file. A full keystore with the longest labels and phrases is not larger. */
export const MAX_KEYSTORE_BYTES = 3 * 1024 * 1024;

/** The longest label of a secret, in characters (code points). */
export const MAX_LABEL_LENGTH = 200;
