import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  doorOrigin,
  PAIRING_CODE_ALPHABET,
  PAIRING_CODE_LENGTH,
  pairingLink,
  readPairingCode,
  readPairingLink,
  showFingerprint,
  showPairingCode,
  typedPairingCode,
} from './pairing-link.ts';

const code = fc
  .array(fc.constantFrom(...PAIRING_CODE_ALPHABET), { minLength: PAIRING_CODE_LENGTH, maxLength: PAIRING_CODE_LENGTH })
  .map((characters) => characters.join(''));
const fingerprint = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex'));
const address = fc.oneof(fc.ipV4(), fc.constantFrom('fd00::1', 'fe80::1%eth0'));

it('a link returns its parts', () => {
  fc.assert(
    fc.property(code, fingerprint, address, fc.integer({ min: 1, max: 65_535 }), (each, print, at, port) => {
      const said = { origin: doorOrigin(at, port), code: each, fingerprint: print };
      expect(readPairingLink(` ${pairingLink(said)}\n`)).toEqual(said);
    }),
  );
});

it('a code is read in any spelling, and other text is not', () => {
  fc.assert(
    fc.property(code, (each) => {
      for (const typed of [showPairingCode(each), each.toLowerCase(), ` ${each.split('').join(' ')} `]) {
        expect(readPairingCode(typed)).toBe(each);
      }
      expect(readPairingCode(each.slice(1))).toBeNull();
      expect(readPairingCode(`O${each.slice(1)}`)).toBeNull();
    }),
  );
});

it.each([
  'http://192.168.1.5:3443/ui/#/pair?code=7KM4-XWPA',
  `https://you@192.168.1.5:3443/ui/#/pair?code=ACEF-GHKM&fingerprint=${'ab'.repeat(32)}`,
  'https://192.168.1.5:3443/ui/#/pair?code=ACEF-GHKM',
  'https://192.168.1.5:3443/ui/',
  '',
])('%s is no pairing link', (text) => {
  expect(readPairingLink(text)).toBeNull();
});

it('a fingerprint is shown in one form', () => {
  expect(showFingerprint('d6eb01ff')).toBe('D6:EB:01:FF');
});

it.each([
  ['7km4–xwpa', { code: '7KM4XWPA' }],
  ['７ＫＭ４ＸＷＰＡ', { code: '7KM4XWPA' }],
  ['7КМ4-ХWРА', { code: '7KM4XWPA' }],
  [`https://192.168.1.5:3443/ui/#/pair?code=7KM4-XWPA&fingerprint=${'ab'.repeat(32)}`, { code: '7KM4XWPA' }],
  ['ABCD-1234', { kind: 'characters', characters: ['B', 'D', '1', '2'] }],
  ['7KM4-XWP', { kind: 'length', length: 7 }],
])('%s is read as a code, or says what is wrong with it', (text, expected) => {
  expect(typedPairingCode(text)).toEqual(expected);
});
