import { describe, expect, it } from 'vitest';
import vectors from '../../../../test/vectors.json' with { type: 'json' };
import { publicKeyOf } from '../ed25519.ts';
import { bytesToHex } from '../hex.ts';
import { createPhrase, firmwareSeed, isEnglishPhrase, standardSeed } from './phrase.ts';

const english = { language: 'english', ...vectors };

describe.each([english, ...vectors.otherLanguages])('the $language phrase of the vectors', (vector) => {
  const phrase = vector.mnemonic;

  it('derives the standard seed and key', () => {
    const seed = standardSeed(phrase);
    expect(bytesToHex(seed)).toBe(vector.standardDerivation.seed);
    expect(bytesToHex(publicKeyOf(seed))).toBe(vector.standardDerivation.publicKey);
  });

  it('derives the firmware seed and key', () => {
    const seed = firmwareSeed(phrase);
    expect(bytesToHex(seed)).toBe(vector.firmwareDerivation.seed);
    expect(bytesToHex(publicKeyOf(seed))).toBe(vector.firmwareDerivation.publicKey);
  });

  it.each([
    ['composed characters', phrase.normalize('NFC')],
    ['upper case', phrase.toUpperCase()],
    ['loose spacing', `\t ${phrase.replaceAll(' ', ' \n ')} `],
    ['ideographic spaces', phrase.replaceAll(' ', '\u3000')],
  ])('derives the same seeds from it in %s', (_name, spelling) => {
    expect(bytesToHex(standardSeed(spelling))).toBe(vector.standardDerivation.seed);
    expect(bytesToHex(firmwareSeed(spelling))).toBe(vector.firmwareDerivation.seed);
  });
});

describe('createPhrase', () => {
  it.each([12, 24] as const)('creates a random English phrase of %i words', (words) => {
    const phrase = createPhrase(words);
    expect(phrase.split(' ')).toHaveLength(words);
    expect(isEnglishPhrase(phrase)).toBe(true);
    expect(createPhrase(words)).not.toBe(phrase);
  });

  it('creates 12 words by default', () => {
    expect(createPhrase().split(' ')).toHaveLength(12);
  });
});

describe('isEnglishPhrase', () => {
  it.each([
    ['an empty text', ''],
    ['a wrong checksum', vectors.mnemonic.replace(/about$/, 'abandon')],
    ['an unknown word', vectors.mnemonic.replace('about', 'wellhouse')],
    ['a missing word', vectors.mnemonic.replace(' about', '')],
    ['another language', vectors.otherLanguages[0]!.mnemonic],
    ['a lone surrogate', '\ud800'],
  ])('refuses %s', (_name, phrase) => {
    expect(isEnglishPhrase(phrase)).toBe(false);
  });

  it('accepts any case and spacing', () => {
    expect(isEnglishPhrase(`  ${vectors.mnemonic.toUpperCase().replaceAll(' ', '  ')}\n`)).toBe(true);
  });
});

describe('a phrase without checksum', () => {
  it('derives both keys, as the firmware imports it', () => {
    const phrase = vectors.mnemonic.replace(/about$/, 'abandon');
    expect(standardSeed(phrase)).toHaveLength(32);
    expect(firmwareSeed(phrase)).toHaveLength(32);
  });

  it('has no standard seed with another number of words, and the error does not quote it', () => {
    expect(() => standardSeed('secret words')).toThrow(/^(?!.*secret)/);
  });
});
