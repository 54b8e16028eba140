import { validateMnemonic } from '@scure/bip39';
import { foldWord, LANGUAGES, type Language, loadWordList, type WordList } from './languages.ts';
import { nearWords } from './near-words.ts';

/** The numbers of words that a BIP-39 phrase may have. */
export const PHRASE_LENGTHS: readonly number[] = [12, 15, 18, 21, 24];

/** One typed word and its match. */
export interface ReadWord {
  readonly typed: string;
  /** The word of the list, in composed characters; null if the list has no such word. */
  readonly word: string | null;
  /** Words of the list that the owner may have meant, the likeliest first; empty if the word is known. */
  readonly near: readonly string[];
  /** Other languages whose list has the word: two languages in one phrase are a mistake. */
  readonly alsoIn: readonly Language[];
}

/** A phrase that keys can be derived from. */
export interface UsablePhrase {
  readonly language: Language;
  /** In the spelling that both derivations hash: the words of the list in NFKD, single ASCII spaces. */
  readonly phrase: string;
  /** false is only a warning: the firmware does not check the checksum of a phrase. */
  readonly isChecksumRight: boolean;
}

/** The result of reading a typed phrase. */
export interface ReadPhrase {
  readonly words: readonly ReadWord[];
  /** The language of most words; null if no word is known. */
  readonly language: Language | null;
  /** The indexes of the words that are not in that language. */
  readonly wrongWords: readonly number[];
  /** Whether there are 12, 15, 18, 21 or 24 words. Field devices accept only 12. */
  readonly isLengthRight: boolean;
  /**
   * Empty unless every word is known and the number of words is right. The likeliest first. There is a second one only
   * if both lists have all the words: English and Spanish share some.
   */
  readonly usable: readonly UsablePhrase[];
}

/**
 * Reads a phrase as people type, paste and photograph it: any case, any spaces (also ideographic), with or without
 * accents, in any Unicode normalisation, numbered or separated by commas, Chinese with or without spaces, Japanese in
 * either kana. Loads all five lists, or only that of `language`.
 */
export async function readPhrase(text: string, language?: Language): Promise<ReadPhrase> {
  const lists = await Promise.all((language === undefined ? LANGUAGES : [language]).map(loadWordList));
  const typed = splitWords(text);
  const fits = lists.map((list) => fitOf(typed, list)).sort((a, b) => b.known - a.known || b.exact - a.exact);
  const best = fits[0]!;
  const chosen = best.known === 0 && language === undefined ? null : best.list;
  const words = typed.map((word) => readWord(word, chosen, lists));
  const isLengthRight = PHRASE_LENGTHS.includes(typed.length);
  const whole = isLengthRight ? fits.filter(({ known }) => known === typed.length) : [];
  const usable = whole.map(({ list }) => usableIn(list, typed));
  // The sort is stable, so the better match stays first among equals.
  usable.sort((a, b) => Number(b.isChecksumRight) - Number(a.isChecksumRight));
  return {
    words,
    language: usable[0]?.language ?? chosen?.language ?? null,
    wrongWords: words.flatMap(({ word }, index) => (word === null ? [index] : [])),
    isLengthRight,
    usable,
  };
}

/** Returns the typed words in NFKC, without the characters that people put around and between them. */
function splitWords(text: string): string[] {
  // Copied text may contain soft hyphens, byte order marks and zero-width spaces, which nobody sees.
  const visible = text
    .toWellFormed()
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '');
  return visible
    .split(/[\s\p{Pd},;.:|/·・、。]+/u)
    .map((word) => word.replace(/^[\p{N}\p{P}\p{S}]+|[\p{N}\p{P}\p{S}]+$/gu, ''))
    .flatMap((word) => (/^\p{Script=Han}+$/u.test(word) ? [...word] : [word]))
    .filter((word) => word !== '');
}

/** Counts the typed words that a list has, and those that it has in exactly that spelling. */
function fitOf(typed: readonly string[], list: WordList) {
  let known = 0;
  let exact = 0;
  for (const word of typed) {
    const found = list.byFold.get(foldWord(word));
    if (found !== undefined) known += 1;
    if (found === word.normalize('NFKD').toLowerCase()) exact += 1;
  }
  return { list, known, exact };
}

function readWord(typed: string, chosen: WordList | null, lists: readonly WordList[]): ReadWord {
  const folded = foldWord(typed);
  const word = chosen?.byFold.get(folded)?.normalize('NFC') ?? null;
  const others = lists.filter((list) => list !== chosen && list.byFold.has(folded));
  return {
    typed,
    word,
    near: word === null ? nearWords(typed, chosen === null ? lists : [chosen]) : [],
    alsoIn: others.map((list) => list.language),
  };
}

function usableIn(list: WordList, typed: readonly string[]): UsablePhrase {
  const phrase = typed.map((word) => list.byFold.get(foldWord(word))!).join(' ');
  return { language: list.language, phrase, isChecksumRight: validateMnemonic(phrase, list.words as string[]) };
}
