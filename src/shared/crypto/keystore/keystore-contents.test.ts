import { describe, expect, it } from 'vitest';
import { emptyContents, isKeystoreContents, newSecretId } from './keystore-contents.ts';

const ofSecret = { label: 'Balcony', createdAt: 1_700_000_000_000 };
const phrase = {
  ...ofSecret,
  id: newSecretId(),
  kind: 'phrase',
  phrase: `${'abandon '.repeat(11)}about`,
  language: 'english',
};
const seed = { ...ofSecret, id: newSecretId(), kind: 'seed', seedHex: 'ab'.repeat(32) };
const entry = { deviceId: 'cd'.repeat(32), keyVersion: 3, keyHex: 'ef'.repeat(32), source: 'imported', addedAt: 0 };
const whole = { ...emptyContents(), secrets: [phrase, seed], fieldKeys: [entry, { ...entry, keyVersion: 4 }] };

const withPhrase = (change: object) => ({ ...whole, secrets: [{ ...phrase, ...change }] });
const withSeed = (change: object) => ({ ...whole, secrets: [{ ...seed, ...change }] });
const withEntry = (change: object) => ({ ...whole, fieldKeys: [{ ...entry, ...change }] });
const lacking = (value: object, name: string) =>
  Object.fromEntries(Object.entries(value).filter(([each]) => each !== name));

describe('isKeystoreContents', () => {
  it('accepts the allowed contents of a keystore, up to its limits', () => {
    const taken = [
      emptyContents(),
      whole,
      withPhrase({ label: 'x'.repeat(200), phrase: 'x'.repeat(978) + ' x'.repeat(11), language: 'chinese' }),
      withSeed({ label: '💧'.repeat(200) }),
      withSeed({ label: '', createdAt: 8_640_000_000_000_000 }),
      withEntry({ keyVersion: 0 }),
      withEntry({ keyVersion: 0xffff_ffff, source: 'derived' }),
      { ...whole, version: 1 },
      { ...whole, exportedAt: 1 },
      withSeed({ drilledAt: 1, removedAt: 2 }),
      { ...whole, settings: { lockAfterMinutes: 0 } },
      { ...whole, settings: { lockAfterMinutes: 1440 } },
      { ...whole, secrets: Array.from({ length: 100 }, () => ({ ...seed, id: newSecretId() })) },
    ];
    expect(taken.map(isKeystoreContents)).toEqual(taken.map(() => true));
    expect(isKeystoreContents(JSON.parse(JSON.stringify(whole)))).toBe(true);
  });

  it.each([
    ['no object', null],
    ['a list', []],
    ['text', JSON.stringify(whole)],
    ['another version', { ...whole, version: 3 }],
    ['a version as text', { ...whole, version: '1' }],
    ['one member too many', { ...whole, more: 1 }],
    ['a member by the name of the prototype', JSON.parse('{"__proto__":{},"version":1,"secrets":[],"fieldKeys":[]}')],
    ['no secrets', lacking(whole, 'secrets')],
    ['secrets that are no list', { ...whole, secrets: {} }],
    ['a list with a hole', { ...whole, secrets: new Array(1) }],
    ['no settings', lacking(whole, 'settings')],
    ['an idle time over a day', { ...whole, settings: { lockAfterMinutes: 1441 } }],
    ['an idle time that is no whole number', { ...whole, settings: { lockAfterMinutes: 1.5 } }],
    ['a setting too many', { ...whole, settings: { lockAfterMinutes: 1, more: 1 } }],
    ['a secret of neither kind', withPhrase({ kind: 'other' })],
    ['a secret of both kinds', withPhrase({ seedHex: seed.seedHex })],
    ['a phrase that is empty', withPhrase({ phrase: '' })],
    ['a phrase that is too long', withPhrase({ phrase: 'x'.repeat(979) + ' x'.repeat(11) })],
    ['a phrase of two words', withPhrase({ phrase: 'abandon about' })],
    ['a phrase of thirteen words', withPhrase({ phrase: `${'abandon '.repeat(12)}about` })],
    ['a language that no list is of', withPhrase({ language: 'latin' })],
    ['a language by the name of a method', withPhrase({ language: 'toString' })],
    ['a label that is too long', withSeed({ label: 'x'.repeat(201) })],
    ['a label of too many characters', withSeed({ label: '💧'.repeat(201) })],
    ['a label that is no text', withSeed({ label: null })],
    ['an id in capitals', withSeed({ id: seed.id.replace(/[0-9]/g, 'A') })],
    ['an id that goes on after a line', withSeed({ id: `${seed.id}\n` })],
    ['a seed that is too short', withSeed({ seedHex: 'ab'.repeat(31) })],
    ['a time before 1970', withSeed({ createdAt: -1 })],
    ['a time beyond the calendar', withSeed({ createdAt: 8_640_000_000_000_001 })],
    ['a secret without a time', { ...whole, secrets: [lacking(seed, 'createdAt')] }],
    ['two secrets of one id', { ...whole, secrets: [seed, { ...phrase, id: seed.id }] }],
    ['too many secrets', { ...whole, secrets: Array.from({ length: 101 }, () => ({ ...seed, id: newSecretId() })) }],
    ['a device that is no key', withEntry({ deviceId: 'device' })],
    ['a key that is too long', withEntry({ keyHex: 'ef'.repeat(33) })],
    ['a key version below 0', withEntry({ keyVersion: -1 })],
    ['a key version over 32 bits', withEntry({ keyVersion: 2 ** 32 })],
    ['a key version as text', withEntry({ keyVersion: '3' })],
    ['a key of no known source', withEntry({ source: 'guessed' })],
    ['two keys of one version', { ...whole, fieldKeys: [entry, { ...entry, keyHex: '00'.repeat(32) }] }],
    [
      'too many keys',
      { ...whole, fieldKeys: Array.from({ length: 10_001 }, (_, keyVersion) => ({ ...entry, keyVersion })) },
    ],
  ])('refuses %s', (_, contents) => {
    expect(isKeystoreContents(contents)).toBe(false);
  });
});
