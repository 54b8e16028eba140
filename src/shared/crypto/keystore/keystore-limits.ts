/** What every keystore begins with in base64: its nine magic bytes are twelve letters. */
export const KEYSTORE_BASE64_START = 'V0VMTEhLRVlT';

/** The largest keystore file. In base64 it fits an owner call, whose body may have 1 MiB. */
export const MAX_KEYSTORE_BYTES = 720 * 1024;

/** The longest label of a secret, in characters (code points). */
export const MAX_LABEL_LENGTH = 200;
