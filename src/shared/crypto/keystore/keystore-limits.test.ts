import { expect, it } from 'vitest';
import * as limits from './keystore-limits.ts';

// A keystore that one version writes must be one that each other version reads.
it('the limits of a keystore stay', () => {
  expect({ ...limits }).toEqual({
    KEYSTORE_BASE64_START: 'V0VMTEhLRVlT',
    MAX_SECRETS: 100,
    MAX_FIELD_KEYS: 10_000,
    MAX_KEYSTORE_BYTES: 3_145_728,
    MAX_LABEL_LENGTH: 200,
  });
});
