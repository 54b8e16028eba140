import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

/** Shorter passphrases are refused. */
const SHORTEST_PASSPHRASE = 8;

/** How long a passphrase resists guessing. `short` and `weak` ones are refused. */
export type Strength = 'short' | 'weak' | 'fair' | 'strong';

/**
 * The number of guesses that a good attacker needs, as powers of ten. At half a second each, 10^10 guesses take 160
 * years on one core.
 */
const FAIR_GUESSES = 10;
const STRONG_GUESSES = 14;

let loading: Promise<ZxcvbnFactory> | null = null;

/**
 * Estimates the strength of a passphrase with lists of common ones and of words in the page's languages. Works offline.
 */
export async function passphraseStrength(text: string): Promise<Strength> {
  if ([...text.normalize('NFKD')].length < SHORTEST_PASSPHRASE) return 'short';
  loading ??= load();
  loading.catch(() => {
    loading = null;
  });
  const { guessesLog10 } = (await loading).check(text.normalize('NFC'), ['wellhouse']);
  return guessesLog10 < FAIR_GUESSES ? 'weak' : guessesLog10 < STRONG_GUESSES ? 'fair' : 'strong';
}

/** Loads the word lists. They are some megabytes, so they are loaded only when a passphrase is chosen. */
async function load(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, common, ...languages] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
    import('@zxcvbn-ts/language-pt-br'),
    import('@zxcvbn-ts/language-es-es'),
  ]);
  const dictionaries = [common.dictionary, ...languages.map(({ dictionary }) => dictionary)];
  return new ZxcvbnFactory({ dictionary: Object.assign({}, ...dictionaries), graphs: common.adjacencyGraphs });
}
