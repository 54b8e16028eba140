import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { abytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { bech32 } from '@scure/base';

const SEED_BYTES = 32;
/** The label that separates this key from field keys: a backup key can't decrypt a reading. */
const INFO = utf8ToBytes('wellhouse/backup-key/v1');

/**
 * Returns the age identity that opens an owner's backups, as `AGE-SECRET-KEY-1…`: an X25519 secret key, the
 * HKDF-SHA-256 of the owner's 32-byte seed (of a phrase: the standard seed) without a salt. The node encrypts to its
 * recipient.
 */
export function backupIdentity(ownerSeed: Uint8Array): string {
  abytes(ownerSeed, SEED_BYTES, 'owner seed');
  const key = hkdf(sha256, ownerSeed, undefined, INFO, 32);
  try {
    return bech32.encodeFromBytes('age-secret-key-', key).toUpperCase();
  } finally {
    key.fill(0);
  }
}
