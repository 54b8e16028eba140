import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { mnemonicToSeedSync } from '@scure/bip39';

const SEED_BYTES = 32;

/**
 * The standard derivation: the first 32 bytes of the BIP-39 seed (PBKDF2, empty passphrase). Neither words nor checksum
 * are checked, so it takes any language. Throws where the words are not 12, 15, 18, 21 or 24.
 */
export function standardSeed(phrase: string): Uint8Array {
  return mnemonicToSeedSync(normalizePhrase(phrase)).slice(0, SEED_BYTES);
}

/** The firmware's derivation: SHA-256 of the phrase itself (32 bytes). It takes any text, as the firmware's import does. */
export function firmwareSeed(phrase: string): Uint8Array {
  return sha256(utf8ToBytes(normalizePhrase(phrase)));
}

/**
 * The one spelling that both derivations hash: NFKD as in the BIP-39 word lists, lower case, single ASCII spaces. NFKD
 * also turns the ideographic space of Japanese phrases into an ASCII one. Accents stay: both derivations hash them, so a
 * phrase typed without them goes through `readPhrase` first.
 */
export function normalizePhrase(phrase: string): string {
  return phrase.normalize('NFKD').toLowerCase().trim().split(/\s+/).join(' ');
}
