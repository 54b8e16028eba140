import { describe, expect, it } from 'vitest';
import { foldWord, type WordList } from './languages.ts';
import { nearWords } from './near-words.ts';

function listOf(...words: string[]): WordList {
  return { language: 'english', words, byFold: new Map(words.map((word) => [foldWord(word), word])) };
}
const near = (typed: string, ...words: string[]) => nearWords(typed, [listOf(...words)]);

describe('nearWords', () => {
  it.each([
    ['one letter changed', 'garden', 'gorden'],
    ['two letters changed', 'garden', 'gorten'],
    ['a letter missing at the end', 'garden', 'garde'],
    ['a letter too many at the end', 'garden', 'gardenx'],
    ['two letters too many', 'garden', 'xgarxden'],
    ['the first two letters swapped', 'garden', 'agrden'],
    ['the last two letters swapped', 'garden', 'gardne'],
    ['a swap and a changed letter', 'garden', 'agrdon'],
    ['two swaps', 'garden', 'agrdne'],
    ['only the first four letters right', 'garden', 'gardxyzuv'],
    ['only the first letters typed', 'garden', 'ga'],
    ['a swap in a word of two letters', 'ab', 'ba'],
  ])('offers a word for %s', (_name, word, typed) => {
    expect(near(typed, word, 'stomach')).toEqual([word]);
  });

  it.each([
    ['three letters changed', 'garden', 'gortxn'],
    ['three letters too many', 'garden', 'xgxarxden'],
    ['only the first three letters right', 'garden', 'garxyz'],
    ['only four letters in the middle right', 'garden', 'xyzgard'],
    ['two edits of a word of three letters', 'cat', 'cob'],
    ['letters that are rotated', 'garden', 'rdenga'],
    ['one character', 'a', 'b'],
    ['one character of a list, to two typed', 'b', 'ab'],
    ['all letters of a shorter word, and others', 'sun', 'sunxyzw'],
  ])('offers none for %s', (_name, word, typed) => {
    expect(near(typed, word)).toEqual([]);
  });

  it('puts the likeliest first: what begins so, then fewer edits, then the same beginning, then by the alphabet', () => {
    const found = near('bold', 'gold', 'boldness', 'bord', 'bald', 'build', 'bond');
    expect(found).toEqual(['boldness', 'bond', 'bord', 'bald', 'gold']);
    expect(near('cart', 'card', 'carp', 'care')).toEqual(['card', 'care', 'carp']);
    expect(near('zoologs', 'zoology', 'zoolab')).toEqual(['zoology', 'zoolab']);
  });

  it('offers a word of two lists once, in composed characters', () => {
    const words = ['máximo'.normalize('NFKD')];
    expect(nearWords('maxmio', [listOf(...words), listOf(...words)])).toEqual(['máximo'.normalize('NFC')]);
    expect(near('a', 'ab', 'b')).toEqual([]);
  });
});
