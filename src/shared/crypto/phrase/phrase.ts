import { generateMnemonic, validateMnemonic } from '@scure/bip39';
import { wordlist as english } from '@scure/bip39/wordlists/english.js';
import { normalizePhrase } from './normalize-phrase.ts';

export { firmwareSeed, standardSeed } from './derivations.ts';

const BITS_OF_ENTROPY = { 12: 128, 24: 256 } as const;

/** Creates a new English BIP-39 phrase of 12 (128 bits) or 24 (256 bits) words. */
export function createPhrase(words: 12 | 24 = 12): string {
  return generateMnemonic(english, BITS_OF_ENTROPY[words]);
}

/**
 * Returns whether the text is a BIP-39 phrase of English words with a right checksum. Case and spaces do not matter.
 */
export function isEnglishPhrase(phrase: string): boolean {
  return phrase.isWellFormed() && validateMnemonic(normalizePhrase(phrase), english);
}
