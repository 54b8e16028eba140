import { expect, it } from 'vitest';
import { isPublicKeyHex } from './primitives.ts';

const KEY = 'a1'.repeat(32);

it.each([KEY, KEY.toUpperCase(), '0123456789abcdefABCDEF'.padEnd(64, '0')])('%s is a public key in hex', (text) => {
  expect(isPublicKeyHex(text)).toBe(true);
});

it.each([
  ['one character less', KEY.slice(1)],
  ['one character more at its end', `${KEY}0`],
  ['one character more at its beginning', `0${KEY}`],
  ['a line break at its end', `${KEY}\n`],
  ['a line break at its beginning', `\n${KEY}`],
  ['another letter', `g${KEY.slice(1)}`],
  ['nothing at all', ''],
])('a text with %s is no public key', (_name, text) => {
  expect(isPublicKeyHex(text)).toBe(false);
});
