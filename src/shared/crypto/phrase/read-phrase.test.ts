import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/support/thorough.ts';
import vectors from '../../../../test/vectors.json' with { type: 'json' };
import { bytesToHex } from '../hex.ts';
import { firmwareSeed, standardSeed } from './derivations.ts';
import { createPhraseIn, foldWord, LANGUAGES, type Language, loadWordList, shownWords } from './languages.ts';
import { readPhrase } from './read-phrase.ts';

const known = [{ language: 'english', ...vectors }, ...vectors.otherLanguages] as const;
const withoutMarks = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '');
const toKatakana = (text: string) =>
  text.normalize('NFC').replace(/[ぁ-ゖ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) + 0x60));

describe.each(known)('the $language phrase of the vectors', ({ language, mnemonic, ...vector }) => {
  it.each([
    ['as it is', mnemonic],
    ['composed', mnemonic.normalize('NFC')],
    ['decomposed', mnemonic.normalize('NFD')],
    ['in upper case', mnemonic.toUpperCase()],
    ['without accents or voicing marks', withoutMarks(mnemonic)],
    ['with ideographic spaces', mnemonic.replaceAll(' ', '\u3000')],
    ['with loose spaces and a byte order mark', `\ufeff\n  ${mnemonic.replaceAll(' ', ' \u00a0\t')}\n`],
    ['with commas', mnemonic.replaceAll(' ', ', ')],
    [
      'numbered, a word a line',
      mnemonic
        .split(' ')
        .map((word, index) => `${index + 1}. ${word}`)
        .join('\n'),
    ],
    ['with zero-width characters', mnemonic.replaceAll(' ', ' \u200b')],
    ['in the other kana', toKatakana(mnemonic)],
    ['full width', mnemonic.replace(/[a-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0))],
  ])('is read %s, and derives both ways', async (_name, text) => {
    const read = await readPhrase(text);
    expect(read).toMatchObject({ language, wrongWords: [], isLengthRight: true });
    expect(read.usable).toEqual([{ language, phrase: mnemonic.normalize('NFKD'), isChecksumRight: true }]);
    expect(bytesToHex(standardSeed(read.usable[0]!.phrase))).toBe(vector.standardDerivation.seed);
    expect(bytesToHex(firmwareSeed(read.usable[0]!.phrase))).toBe(vector.firmwareDerivation.seed);
  });
});

describe.each(LANGUAGES)('a phrase in %s', (language) => {
  it.each([12, 24] as const)('of %i words is read from its shown form', async (words) => {
    const phrase = await createPhraseIn(language, words);
    expect(shownWords(phrase)).toHaveLength(words);
    const read = await readPhrase(shownWords(phrase).join('\u3000'));
    expect(read.usable[0]).toEqual({ language, phrase, isChecksumRight: true });
    expect(await createPhraseIn(language, words)).not.toBe(phrase);
  });

  it('is read from any of its words, in any spelling', async () => {
    const { words } = await loadWordList(language);
    const spelling = fc.constantFrom<(text: string) => string>(
      withoutMarks,
      toKatakana,
      (text) => text.normalize('NFC'),
      (text) => text.toUpperCase(),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...words), spelling), { minLength: 12, maxLength: 12 }),
        async (chosen) => {
          const read = await readPhrase(chosen.map(([word, spell]) => spell(word)).join(' '));
          const phrase = chosen.map(([word]) => word).join(' ');
          expect(read.usable.map((usable) => usable.phrase)).toContain(phrase);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('has 2048 words in NFKD with distinct folded forms', async () => {
    const { words, byFold } = await loadWordList(language);
    expect([words.length, byFold.size]).toEqual([2048, 2048]);
    expect(words.filter((word) => word !== word.normalize('NFKD') || byFold.get(foldWord(word)) !== word)).toEqual([]);
  });
});

describe('readPhrase', () => {
  const replaced = (index: number, word: string) => vectors.mnemonic.split(' ').with(index, word).join(' ');

  it.each([
    ['a swap', 'abadnon', 'abandon'],
    ['a missing letter', 'abndon', 'abandon'],
    ['a beginning', 'zeb', 'zebra'],
    ['a wrong ending', 'zebras', 'zebra'],
    ['a missing letter, where another word is as near', 'yelow', 'yellow'],
  ])('names the wrong word and proposes similar ones: %s', async (_name, typed, meant) => {
    const read = await readPhrase(replaced(4, typed));
    expect(read).toMatchObject({ language: 'english', wrongWords: [4], usable: [] });
    expect(read.words[4]).toMatchObject({ typed, word: null });
    expect(read.words[4]!.near[0]).toBe(meant);
    expect(read.words[4]!.near.length).toBeLessThanOrEqual(5);
    expect(read.words[3]).toEqual({ typed: 'abandon', word: 'abandon', near: [], alsoIn: [] });
  });

  it('proposes similar words in composed characters, for wrong accents too', async () => {
    const read = await readPhrase(vectors.otherLanguages[0]!.mnemonic.replace(/m.{1,2}ximo/u, 'maxmio'));
    expect(read.words[2]).toMatchObject({ word: null });
    expect(read.words[2]!.near).toContain('máximo'.normalize('NFC'));
  });

  it('proposes nothing for a character that Chinese phrases lack, and nothing similar for nonsense', async () => {
    const phrase = await createPhraseIn('chinese');
    const read = await readPhrase(`龘${phrase.slice(1)}`);
    expect(read).toMatchObject({ language: 'chinese', wrongWords: [0], usable: [] });
    expect(read.words[0]!.near).toEqual([]);
    expect((await readPhrase('qqqqqqqqqq')).words[0]!.near).toEqual([]);
  });

  it('reads Chinese without any spaces', async () => {
    const phrase = await createPhraseIn('chinese');
    expect((await readPhrase(phrase.replaceAll(' ', ''))).usable[0]).toMatchObject({ language: 'chinese', phrase });
  });

  it('accepts a wrong checksum, and reports it', async () => {
    const phrase = vectors.mnemonic.replace(/about$/, 'abandon');
    expect((await readPhrase(phrase)).usable).toEqual([{ language: 'english', phrase, isChecksumRight: false }]);
  });

  it.each([1, 11, 13, 25])('refuses a phrase of %i words', async (count) => {
    const read = await readPhrase(Array.from({ length: count }, () => 'abandon').join(' '));
    expect(read).toMatchObject({ isLengthRight: false, usable: [], wrongWords: [] });
    expect(read.words).toHaveLength(count);
  });

  it.each([12, 15, 18, 21, 24])('accepts a phrase of %i words', async (count) => {
    const read = await readPhrase(Array.from({ length: count }, () => 'abandon').join(' '));
    expect(read.usable).toHaveLength(1);
  });

  it('names a word of another language in a phrase', async () => {
    const read = await readPhrase(replaced(2, 'abacate'));
    expect(read).toMatchObject({ language: 'english', wrongWords: [2], usable: [] });
    expect(read.words[2]!.alsoIn).toEqual(['portuguese' satisfies Language]);
  });

  it('returns both languages of words that are in two lists, and uses the requested one', async () => {
    const text = 'area menu opera album carbon crater dragon elite area menu opera album';
    const read = await readPhrase(text);
    expect(new Set(read.usable.map(({ language }) => language))).toEqual(new Set(['english', 'spanish']));
    const spanish = (await readPhrase(text, 'spanish')).usable;
    expect(spanish).toHaveLength(1);
    expect(spanish[0]!.phrase.normalize('NFC')).toMatch(/^área menú ópera /);
    expect(read.usable.find(({ language }) => language === 'english')!.phrase).toBe(text);
  });

  it('puts the language first in which the checksum is right', async () => {
    const shared = ['area', 'menu', 'opera', 'album', 'carbon', 'crater', 'dragon', 'elite'];
    const found = new Set<string>();
    // One in sixteen words at the end fits the checksum of a list.
    for (let first = 0; first < 64 && found.size < 2; first += 1) {
      const text = Array.from({ length: 12 }, (_, at) => shared[(at === 0 ? first : (first >> 3) & at) % 8]!).join(' ');
      const { usable } = await readPhrase(text);
      if (usable[0]!.isChecksumRight === usable[1]!.isChecksumRight) continue;
      expect(usable.map(({ isChecksumRight }) => isChecksumRight)).toEqual([true, false]);
      found.add(usable[0]!.language);
    }
    expect([...found].sort()).toEqual(['english', 'spanish']);
  });

  it.each(['', ' \u3000\n', '1. 2. 3.', '\ud800', '!!!'])('reads no phrase from %j', async (text) => {
    const read = await readPhrase(text);
    expect(read).toMatchObject({ language: null, usable: [], isLengthRight: false });
  });

  it('never throws, whatever the text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 100 }), async (text) => {
        expect((await readPhrase(text)).usable.length).toBeLessThanOrEqual(2);
      }),
      runs(30),
    );
  });
});
