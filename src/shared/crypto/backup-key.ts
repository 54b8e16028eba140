import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { abytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { bech32 } from '@scure/base';

const SEED_BYTES = 32;
/** The label that separates it from field keys: a backup's key opens no reading. */
const INFO = utf8ToBytes('wellhouse/backup-key/v1');

/**
 * The age identity that opens an owner's backups: an X25519 secret key, HKDF-SHA-256 of the owner's 32-byte seed (of a phrase
 * the standard one) without a salt, written as `AGE-SECRET-KEY-1…`. Its recipient is what a node encrypts to.
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
