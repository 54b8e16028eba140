import { z } from 'zod';
import { KEYSTORE_BASE64_START, MAX_KEYSTORE_BYTES } from '../crypto/keystore/keystore-limits.ts';
import { type Methods, OPENS_KEYS } from './method.ts';
import { nothing } from './values.ts';

/** A keystore file in base64: sealed where the owner is, opaque to the node. */
const keystoreBlob = z
  .base64()
  .startsWith(KEYSTORE_BASE64_START)
  .max(Math.ceil(MAX_KEYSTORE_BYTES / 3) * 4);
/** Names what a keystore file holds: the SHA-256 of its bytes; null where there is no file. */
const keystoreRevision = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .nullable();

export const KEYSTORE_METHODS = {
  /** The owner's keystore as it lies on disk, damaged or not, and the one before the last write. */
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
   * Puts a keystore in the place of the one read at `expectedRevision`, which is kept as `previous`. `conflict` with the
   * details `changed`: another one is there; `damaged`: what is there is damaged or of a newer version, and is moved
   * aside only where `replaceDamaged` says so. `keepReplaced`: what is there is no earlier state of this one (a new
   * keystore, or one that is restored), and is kept under a name of its own instead, which no later write takes.
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
