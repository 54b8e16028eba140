import { generateMnemonic } from '@scure/bip39';
import { normalizePhrase } from './normalize-phrase.ts';

/** The languages of the firmware's phrases. `chinese` is the simplified list. */
export const LANGUAGES = ['english', 'portuguese', 'spanish', 'japanese', 'chinese'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A BIP-39 word list for look-ups. */
export interface WordList {
  readonly language: Language;
  /** 2048 words in NFKD, as both derivations hash them. */
  readonly words: readonly string[];
  /** Maps `foldWord` of a word to the word. No two words of a list fold to the same text. */
  readonly byFold: ReadonlyMap<string, string>;
}

/** Each list is a separate file of the built page, fetched on first use. */
const IMPORTS: Readonly<Record<Language, () => Promise<{ readonly wordlist: string[] }>>> = {
  english: () => import('@scure/bip39/wordlists/english.js'),
  portuguese: () => import('@scure/bip39/wordlists/portuguese.js'),
  spanish: () => import('@scure/bip39/wordlists/spanish.js'),
  japanese: () => import('@scure/bip39/wordlists/japanese.js'),
  chinese: () => import('@scure/bip39/wordlists/simplified-chinese.js'),
};
const BITS_OF_ENTROPY = { 12: 128, 24: 256 } as const;
const KATAKANA_TO_HIRAGANA = 0x60;

const loaded = new Map<Language, WordList>();

/** Loads a word list once. Rejects if its file can't be fetched; the next call tries again. */
export async function loadWordList(language: Language): Promise<WordList> {
  const known = loaded.get(language);
  if (known !== undefined) return known;
  const words = (await IMPORTS[language]()).wordlist;
  const list = { language, words, byFold: new Map(words.map((word) => [foldWord(word), word])) };
  loaded.set(language, list);
  return list;
}

/** Creates a new BIP-39 phrase of a language in the spelling that both derivations hash: NFKD, single ASCII spaces. */
export async function createPhraseIn(language: Language, words: 12 | 24 = 12): Promise<string> {
  const list = await loadWordList(language);
  return normalizePhrase(generateMnemonic(list.words as string[], BITS_OF_ENTROPY[words]));
}

/** Returns the words of a phrase in order, as they are shown and written down: in composed characters (NFC). */
export function shownWords(phrase: string): string[] {
  return normalizePhrase(phrase).normalize('NFC').split(' ');
}

/** Returns the form of a word for look-ups: without case, accents, voicing marks and the choice of kana. */
export function foldWord(word: string): string {
  const bare = word.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '');
  return bare.replace(/[ァ-ヶ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - KATAKANA_TO_HIRAGANA));
}
