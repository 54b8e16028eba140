import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

/** Shorter passphrases are refused. */
const SHORTEST_PASSPHRASE = 8;

/** How long a passphrase would resist guessing; `short` and `weak` ones are refused. */
export type Strength = 'short' | 'weak' | 'fair' | 'strong';

/** Powers of ten of the guesses that a good guesser needs. At half a second each, 10^10 are 160 years of one core. */
const FAIR_GUESSES = 10;
const STRONG_GUESSES = 14;

let loading: Promise<ZxcvbnFactory> | null = null;

/** Estimates a passphrase by lists of common ones and of words in the languages of the page; all of it works offline. */
export async function passphraseStrength(text: string): Promise<Strength> {
  if ([...text.normalize('NFKD')].length < SHORTEST_PASSPHRASE) return 'short';
  loading ??= load();
  loading.catch(() => {
    loading = null;
  });
  const { guessesLog10 } = (await loading).check(text.normalize('NFC'), ['wellhouse']);
  return guessesLog10 < FAIR_GUESSES ? 'weak' : guessesLog10 < STRONG_GUESSES ? 'fair' : 'strong';
}

/** Some megabytes of words, loaded when a passphrase is chosen and not before. */
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
