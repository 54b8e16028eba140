import { expect, it } from 'vitest';
import { publicKeyOf } from '../shared/crypto/ed25519.ts';
import { bytesToHex } from '../shared/crypto/hex.ts';
import { createPhrase, standardSeed } from '../shared/crypto/phrase.ts';
import { publicKeyOfPhrase } from './node-key.ts';

it('is the key of the standard derivation, however the phrase is spelled', () => {
  for (const phrase of Array.from({ length: 20 }, () => createPhrase())) {
    const expected = bytesToHex(publicKeyOf(standardSeed(phrase)));
    expect(publicKeyOfPhrase(phrase)).toBe(expected);
    expect(publicKeyOfPhrase(` ${phrase.toUpperCase().replaceAll(' ', '  ')}`)).toBe(expected);
  }
});
