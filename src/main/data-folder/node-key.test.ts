import { expect, it } from 'vitest';
import vectors from '../../../test/vectors.json' with { type: 'json' };
import { publicKeyOf } from '../../shared/crypto/ed25519.ts';
import { bytesToHex } from '../../shared/crypto/hex.ts';
import { createPhrase, standardSeed } from '../../shared/crypto/phrase/phrase.ts';
import { DEMO_DEVICES, demoDeviceSeed } from '../../shared/demo-keys.ts';
import { demoDeviceIds, publicKeyOfPhrase } from './node-key.ts';

// Python's hashlib and the openssl command give these keys, too.
it.each([
  ['English', vectors],
  ['Spanish, with an accent', vectors.otherLanguages[0]!],
  ['Japanese, with voiced marks', vectors.otherLanguages[1]!],
])('is the key that other implementations give for a phrase in %s', (_language, { mnemonic, standardDerivation }) => {
  expect(publicKeyOfPhrase(mnemonic)).toBe(standardDerivation.publicKey);
});

it('is the key of the standard derivation for any spelling of the phrase', () => {
  for (const phrase of Array.from({ length: 20 }, () => createPhrase())) {
    const expected = bytesToHex(publicKeyOf(standardSeed(phrase)));
    expect(publicKeyOfPhrase(phrase)).toBe(expected);
    expect(publicKeyOfPhrase(` ${phrase.toUpperCase().replaceAll(' ', '  ')}`)).toBe(expected);
  }
});

it('is, for a demo device, the key of its seed', () => {
  const nodePublicKey = 'ab'.repeat(32);
  const expected = Array.from({ length: DEMO_DEVICES }, (_, number) =>
    bytesToHex(publicKeyOf(demoDeviceSeed(nodePublicKey, number))),
  );
  expect(demoDeviceIds(nodePublicKey)).toEqual(expected);
});
