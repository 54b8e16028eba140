import { createPublicKey, verify as verifyByOpenssl } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { edgeSignatures } from '../../../test/support/ed25519-edges.ts';
import vectors from '../../../test/vectors.json' with { type: 'json' };
import { publicKeyOf, sign, verify } from './ed25519.ts';
import { bytesToHex, hexToBytes } from './hex.ts';

// Every check here compares the library under test with OpenSSL's Ed25519.
function verifies(message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean {
  const x = Buffer.from(publicKey).toString('base64url');
  return verifyByOpenssl(
    null,
    message,
    createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }),
    signature,
  );
}

const { raw, signature } = vectors.signedBlock;
const message = Buffer.from(raw, 'utf8');
const publicKey = hexToBytes(vectors.standardDerivation.publicKey);
const seed = hexToBytes(vectors.standardDerivation.seed);

describe('the signed block of the vectors', () => {
  it('verifies under the key its raw names', () => {
    expect(raw.split('|')[0]).toBe(vectors.standardDerivation.publicKey);
    expect(verifies(message, hexToBytes(signature), publicKey)).toBe(true);
  });

  it('does not verify once a bit of it is flipped', () => {
    const altered = Buffer.from(message);
    altered[70]! ^= 1;
    expect(verifies(altered, hexToBytes(signature), publicKey)).toBe(false);
  });

  it('is the output of sign for the raw string', () => {
    expect(bytesToHex(sign(message, seed))).toBe(signature);
  });
});

describe('sign', () => {
  it('makes signatures that OpenSSL verifies, for any seed and message', () => {
    const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(bytes32, fc.uint8Array({ maxLength: 300 }), (anySeed, text) => {
        const made = sign(text, anySeed);
        expect(made).toHaveLength(64);
        expect(verifies(text, made, publicKeyOf(anySeed))).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('refuses seeds of another length', () => {
    expect(() => publicKeyOf(new Uint8Array(31))).toThrow(RangeError);
    expect(() => sign(message, new Uint8Array(64))).toThrow(RangeError);
  });
});

describe('verify', () => {
  const text = Buffer.from('a message');

  it.each(edgeSignatures(text))('decides on $what by the rule of docs/proof.md', ({ key, signature, isGood }) => {
    expect(verify(signature, text, hexToBytes(key))).toBe(isGood);
  });

  it('accepts signed messages, and none with a changed bit or of another length', () => {
    const made = sign(text, seed);
    const key = publicKeyOf(seed);
    expect(verify(made, text, key)).toBe(true);
    for (let at = 0; at < 64; at += 1) {
      expect(verify(made.with(at, made[at]! ^ 1), text, key)).toBe(false);
      if (at < 32) expect(verify(made, text, key.with(at, key[at]! ^ 1))).toBe(false);
    }
    expect(verify(made, Buffer.from('another'), key)).toBe(false);
    for (const length of [0, 63, 65]) expect(verify(new Uint8Array(length), text, key)).toBe(false);
    // As a number, S is the same with a zero at its end.
    expect(verify(Uint8Array.of(...made, 0), text, key)).toBe(false);
    expect(verify(made, text, new Uint8Array(31))).toBe(false);
  });
});
