import { z } from 'zod';
import { KEYSTORE_BASE64_START, MAX_KEYSTORE_BYTES } from '../crypto/keystore/keystore-limits.ts';
import { type Methods, OPENS_KEYS } from './method.ts';
import { nothing } from './values.ts';

/** A keystore file in base64. The page encrypted it; the node can't read it. */
const keystoreBlob = z
  .base64()
  .startsWith(KEYSTORE_BASE64_START)
  .max(Math.ceil(MAX_KEYSTORE_BYTES / 3) * 4);
/** The revision of a keystore file: the SHA-256 of its bytes; null if there is no file. */
const keystoreRevision = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .nullable();

export const KEYSTORE_METHODS = {
  /** Returns the keystore file as it is on disk, damaged or not, and the one before the last write. */
  readKeystore: {
    role: 'owner',
    asks: OPENS_KEYS,
    input: nothing,
    output: z.strictObject({
      blob: z.base64().nullable(),
      previous: z.base64().nullable(),
      revision: keystoreRevision,
    }),
  },
  /**
   * Replaces the keystore of `expectedRevision`, which is kept as `previous`. Error `conflict` with the details `changed`:
   * the file has another revision; `damaged`: the file is damaged or of a newer version, and `replaceDamaged` (which moves it
   * aside) is not set. `keepReplaced`: the old file is not an earlier state of this one (the keystore is new or restored), so
   * it is kept under a separate name that no later write uses.
   */
  writeKeystore: {
    role: 'owner',
    asks: OPENS_KEYS,
    input: z.strictObject({
      blob: keystoreBlob,
      expectedRevision: keystoreRevision,
      replaceDamaged: z.boolean(),
      keepReplaced: z.boolean().optional(),
    }),
    output: z.strictObject({ revision: keystoreRevision }),
  },
} as const satisfies Methods;
