import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { mnemonicToSeedSync } from '@scure/bip39';
import { normalizePhrase } from './normalize-phrase.ts';

const SEED_BYTES = 32;

/**
 * Returns the seed of the standard derivation: the first 32 bytes of the BIP-39 seed (PBKDF2, empty passphrase). It
 * accepts any language, because it checks neither words nor checksum. Throws if there are not 12, 15, 18, 21 or 24
 * words.
 */
export function standardSeed(phrase: string): Uint8Array {
  return mnemonicToSeedSync(normalizePhrase(phrase)).slice(0, SEED_BYTES);
}

/**
 * Returns the seed of the firmware's derivation: the SHA-256 of the phrase itself (32 bytes). It accepts any text, as
 * the firmware's import does.
 */
export function firmwareSeed(phrase: string): Uint8Array {
  return sha256(utf8ToBytes(normalizePhrase(phrase)));
}
