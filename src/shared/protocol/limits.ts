/** The protocol's limits. Sizes are in bytes and lengths in characters unless the name says otherwise. */
export const MAX_BLOCKS_PER_BATCH = 100;
export const MAX_READINGS_RETURNED = 500;
export const MAX_DEVICES_OF_PAGE = 1000;
export const MAX_RAW_BYTES = 1024;
export const NONCE_BYTES = 12;
export const MIN_CIPHER_BYTES = 16;
export const MAX_CIPHER_BYTES = 256;
export const PUBLIC_KEY_BYTES = 32;
export const SIGNATURE_BYTES = 64;
export const MAX_NAME_LENGTH = 1024;
export const MAX_STRING_LENGTH = 256;
export const MAX_LIST_ITEMS = 64;
export const MAX_REGISTRATION_BYTES = 64 * 1024;
export const MAX_KEY_VERSION = 0xffff_ffff;
export const OWNER_NAME_FROM_KEY_LENGTH = 12;
