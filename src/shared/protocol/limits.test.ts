import { expect, it } from 'vitest';
import * as limits from './limits.ts';

// A change of one of these numbers is a change of the protocol: devices of other versions rely on them.
it('the limits are those of the protocol', () => {
  expect({ ...limits }).toEqual({
    MAX_BLOCKS_PER_BATCH: 100,
    MAX_READINGS_RETURNED: 500,
    MAX_DEVICES_OF_PAGE: 1000,
    MAX_RAW_BYTES: 1024,
    NONCE_BYTES: 12,
    MIN_CIPHER_BYTES: 16,
    MAX_CIPHER_BYTES: 256,
    PUBLIC_KEY_BYTES: 32,
    SIGNATURE_BYTES: 64,
    MAX_NAME_LENGTH: 1024,
    MAX_STRING_LENGTH: 256,
    MAX_LIST_ITEMS: 64,
    MAX_REGISTRATION_BYTES: 65_536,
    MAX_KEY_VERSION: 4_294_967_295,
    OWNER_NAME_FROM_KEY_LENGTH: 12,
  });
});
