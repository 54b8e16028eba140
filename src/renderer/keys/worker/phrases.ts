import type { StoredSecret } from '../../../shared/crypto/keystore/keystore-contents.ts';
import { newSecretId } from '../../../shared/crypto/keystore/keystore-contents.ts';
import { createPhraseIn, foldWord, type Language, shownWords } from '../../../shared/crypto/phrase/languages.ts';
import type { OwnerSecret } from '../../../shared/crypto/phrase/owner-key.ts';
import { readPhrase } from '../../../shared/crypto/phrase/read-phrase.ts';
import { KeySessionError } from '../types.ts';
import type { PhraseDraft, PhraseReading, TypedSecret } from './protocol.ts';

/** Drafts: new phrases that are not stored yet. */
export class PhraseDrafts {
  readonly #drafts = new Map<string, { readonly phrase: string; readonly language: Language }>();

  async create(language: Language, words: 12 | 24): Promise<PhraseDraft> {
    const phrase = await createPhraseIn(language, words);
    const draftId = newSecretId();
    this.#drafts.set(draftId, { phrase, language });
    return { draftId, words: shownWords(phrase) };
  }

  /** Returns for each word whether it is the one at its position. Case, accents and the kind of kana do not matter. */
  check(draftId: string, answers: readonly { readonly at: number; readonly word: string }[]): boolean[] {
    const words = shownWords(this.get(draftId).phrase);
    return answers.map(({ at, word }) => {
      const expected = words[at];
      return expected !== undefined && foldWord(word.trim()) === foldWord(expected);
    });
  }

  get(draftId: string): { readonly phrase: string; readonly language: Language } {
    const draft = this.#drafts.get(draftId);
    if (draft === undefined) throw new KeySessionError('gone');
    return draft;
  }

  drop(draftId: string): void {
    this.#drafts.delete(draftId);
  }
}

/** Reads a typed phrase. The result only contains the typed words and suggestions. */
export async function readTyped(text: string, language: Language | null): Promise<PhraseReading> {
  const { words, language: read, wrongWords, isLengthRight, usable } = await readPhrase(text, language ?? undefined);
  return {
    words,
    language: read,
    wrongWords,
    isLengthRight,
    usable: usable.map(({ language: of, isChecksumRight }) => ({ language: of, isChecksumRight })),
  };
}

type KeptForm =
  | Pick<Extract<StoredSecret, { kind: 'phrase' }>, 'kind' | 'phrase' | 'language'>
  | Pick<Extract<StoredSecret, { kind: 'seed' }>, 'kind' | 'seedHex'>;

/**
 * Returns the form in which a typed secret is stored and keys are derived. Rejects with KeySessionError
 * `unusable_secret`.
 */
export async function usableSecret(typed: TypedSecret): Promise<KeptForm & OwnerSecret> {
  if (typed.kind === 'seed') {
    const seedHex = typed.seedHex
      .replace(/^\s*0x/i, '')
      .replace(/[\s:]/g, '')
      .toLowerCase();
    if (!/^[0-9a-f]{64}$/.test(seedHex)) throw new KeySessionError('unusable_secret');
    return { kind: 'seed', seedHex };
  }
  const { usable } = await readPhrase(typed.text, typed.language ?? undefined);
  const [first] = usable;
  if (first === undefined) throw new KeySessionError('unusable_secret');
  return { kind: 'phrase', phrase: first.phrase, language: first.language };
}
