import { createCipheriv, createDecipheriv } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import vectors from '../../../../test/vectors.json' with { type: 'json' };
import { bytesToHex, hexToBytes } from '../hex.ts';
import { openField, sealField } from './field-cipher.ts';

const { value, plaintext, cipher } = vectors.encryptedField;
const key = hexToBytes(vectors.encryptedField.key);
const nonce = hexToBytes(vectors.encryptedField.nonce);

/** Encrypts any bytes with OpenSSL, as a device with other firmware could do. */
function sealBytes(bytes: Uint8Array): Uint8Array {
  const sealer = createCipheriv('aes-256-gcm', key, nonce);
  return Buffer.concat([sealer.update(bytes), sealer.final(), sealer.getAuthTag()]);
}

describe('the encrypted field of the vectors', () => {
  it('is the output of sealField for the value', () => {
    expect(bytesToHex(sealField(key, value, nonce))).toBe(cipher);
  });

  it('opens to the value as a 32-bit float', () => {
    expect(openField(key, hexToBytes(cipher), nonce)).toEqual({ ok: true, value: Math.fround(value) });
  });

  it('holds the float big-endian', () => {
    const opener = createDecipheriv('aes-256-gcm', key, nonce);
    opener.setAuthTag(hexToBytes(cipher).slice(4));
    expect(Buffer.concat([opener.update(hexToBytes(cipher).slice(0, 4)), opener.final()]).toString('hex')).toBe(
      plaintext,
    );
  });
});

describe('sealField and openField', () => {
  const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

  it('return every finite float, with any key and nonce', () => {
    fc.assert(
      fc.property(
        bytes(32),
        bytes(12),
        fc.float({ noDefaultInfinity: true, noNaN: true }),
        (anyKey, anyNonce, float) => {
          const sealed = sealField(anyKey, float, anyNonce);
          expect(sealed).toHaveLength(20);
          expect(openField(anyKey, sealed, anyNonce)).toEqual({ ok: true, value: float });
        },
      ),
    );
  });

  it('report any changed bit as a wrong key', () => {
    fc.assert(
      fc.property(fc.nat({ max: 20 * 8 - 1 }), (bit) => {
        const altered = hexToBytes(cipher);
        altered[bit >> 3]! ^= 1 << (bit & 7);
        expect(openField(key, altered, nonce)).toEqual({ ok: false, reason: 'wrong_key' });
      }),
    );
  });

  it('report another key or nonce, and a cipher shorter than its tag, as a wrong key', () => {
    const wrong = { ok: false, reason: 'wrong_key' };
    expect(openField(new Uint8Array(32), hexToBytes(cipher), nonce)).toEqual(wrong);
    expect(openField(key, hexToBytes(cipher), new Uint8Array(12))).toEqual(wrong);
    expect(openField(key, new Uint8Array(15), nonce)).toEqual(wrong);
  });

  it.each([0, 3, 5, 240])('report an opened content of %i bytes', (length) => {
    expect(openField(key, sealBytes(new Uint8Array(length)), nonce)).toEqual({ ok: false, reason: 'not_four_bytes' });
  });

  it.each(['7f800000', 'ff800000', '7fc00000'])('report the float %s as not finite', (hex) => {
    expect(openField(key, sealBytes(hexToBytes(hex)), nonce)).toEqual({ ok: false, reason: 'not_finite' });
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 3.5e38])('refuse to seal %d', (number) => {
    expect(() => sealField(key, number, nonce)).toThrow(RangeError);
  });

  it('refuse keys and nonces of another length, also those AES itself would take', () => {
    expect(() => sealField(new Uint8Array(16), 1, nonce)).toThrow(RangeError);
    expect(() => sealField(key, 1, new Uint8Array(16))).toThrow(RangeError);
    expect(() => openField(new Uint8Array(16), hexToBytes(cipher), nonce)).toThrow(RangeError);
    expect(() => openField(key, hexToBytes(cipher), new Uint8Array(16))).toThrow(RangeError);
  });
});
