/**
 * Returns the spelling that both derivations hash: NFKD as in the BIP-39 word lists, lower case, single ASCII spaces.
 * NFKD also changes the ideographic space of Japanese phrases to an ASCII one. Accents stay, because both derivations
 * hash them: pass a phrase typed without them to `readPhrase` first.
 */
export function normalizePhrase(phrase: string): string {
  return phrase.normalize('NFKD').toLowerCase().trim().split(/\s+/).join(' ');
}
