import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { abytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { MAX_KEY_VERSION, PUBLIC_KEY_BYTES } from '../../protocol/limits.ts';

const SEED_BYTES = 32;
const FIELD_KEY_BYTES = 32;

/**
 * Returns the 32-byte key that encrypts a device's fields at one key version: HKDF-SHA-256 of the owner's 32-byte seed,
 * salted with the device's public key, with info `field-key/v<keyVersion>`. Throws RangeError on a version outside
 * 0..2^32-1 and on keys that are not 32 bytes.
 */
export function deriveFieldKey(ownerSeed: Uint8Array, devicePublicKey: Uint8Array, keyVersion: number): Uint8Array {
  abytes(ownerSeed, SEED_BYTES, 'owner seed');
  abytes(devicePublicKey, PUBLIC_KEY_BYTES, 'device public key');
  if (!Number.isInteger(keyVersion) || keyVersion < 0 || keyVersion > MAX_KEY_VERSION) {
    throw new RangeError('key version must be an integer from 0 to 2^32-1');
  }
  return hkdf(sha256, ownerSeed, devicePublicKey, utf8ToBytes(`field-key/v${keyVersion}`), FIELD_KEY_BYTES);
}
