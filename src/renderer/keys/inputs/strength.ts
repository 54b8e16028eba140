/** Shorter passphrases are refused. */
export const SHORTEST_PASSPHRASE = 8;

/** Roughly how long a passphrase would resist guessing at scrypt's cost. */
export type Strength = 'short' | 'weak' | 'fair' | 'strong';

const POOLS: readonly (readonly [RegExp, number])[] = [
  [/\p{Ll}/u, 26],
  [/\p{Lu}/u, 26],
  [/\p{N}/u, 10],
  [/[^\p{L}\p{N}]/u, 20],
];
/** A word is worth about this many bits, however long it is. */
const BITS_OF_WORD = 11;
const FAIR_BITS = 40;
const STRONG_BITS = 55;

/**
 * A rough hint: it counts kinds of characters, distinct characters and words, and has no list of common passphrases.
 * With half a second of scrypt per guess, 40 bits take years on a few machines.
 */
export function passphraseStrength(text: string): Strength {
  const characters = [...text.normalize('NFKD')];
  if (characters.length < SHORTEST_PASSPHRASE) return 'short';
  const pool = POOLS.reduce((sum, [pattern, size]) => sum + (pattern.test(text) ? size : 0), 0);
  // Repeated characters add little.
  const different = new Set(characters).size;
  const counted = different + (characters.length - different) / 3;
  const byCharacters = counted * Math.log2(Math.max(pool, 2));
  const words = text.split(/[^\p{L}]+/u).filter((word) => word.length > 1);
  const others = characters.length - words.reduce((sum, word) => sum + [...word.normalize('NFKD')].length, 0);
  const isWords = words.some((word) => word.length >= 4);
  const byWords = isWords ? new Set(words).size * BITS_OF_WORD + others * 2 : byCharacters;
  const bits = Math.min(byCharacters, byWords);
  return bits < FAIR_BITS ? 'weak' : bits < STRONG_BITS ? 'fair' : 'strong';
}
