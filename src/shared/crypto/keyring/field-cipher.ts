import { gcm } from '@noble/ciphers/aes.js';
import { abytes } from '@noble/ciphers/utils.js';
import { NONCE_BYTES } from '../../protocol/limits.ts';

const KEY_BYTES = 32;
const VALUE_BYTES = 4;

/** The result of decrypting an encrypted field. */
export type OpenedField =
  | { readonly ok: true; readonly value: number }
  | { readonly ok: false; readonly reason: 'wrong_key' | 'not_four_bytes' | 'not_finite' };

/**
 * Encrypts a value as the firmware does: AES-256-GCM of its big-endian IEEE 754 float32, without associated data.
 * Returns the ciphertext and its 16-byte tag, 20 bytes in all. The nonce (12 bytes) must be new for every field
 * encrypted with the key. Throws RangeError if the value is not a finite float32, and on wrong lengths.
 */
export function sealField(key: Uint8Array, value: number, nonce: Uint8Array): Uint8Array {
  if (!Number.isFinite(Math.fround(value))) throw new RangeError('value must be finite as a 32-bit float');
  const plaintext = new Uint8Array(VALUE_BYTES);
  new DataView(plaintext.buffer).setFloat32(0, value, false);
  return cipherOf(key, nonce).encrypt(plaintext);
}

/**
 * Decrypts a field. `wrong_key`: the tag does not match, so the key, the nonce or the cipher is another's or was
 * changed; `not_four_bytes` and `not_finite`: it decrypts, but the content is not a measurement. Throws RangeError on a
 * key or nonce of the wrong length.
 */
export function openField(key: Uint8Array, cipher: Uint8Array, nonce: Uint8Array): OpenedField {
  const opener = cipherOf(key, nonce);
  let plaintext: Uint8Array;
  try {
    plaintext = opener.decrypt(cipher);
  } catch {
    return { ok: false, reason: 'wrong_key' };
  }
  if (plaintext.length !== VALUE_BYTES) return { ok: false, reason: 'not_four_bytes' };
  const value = new DataView(plaintext.buffer, plaintext.byteOffset, VALUE_BYTES).getFloat32(0, false);
  return Number.isFinite(value) ? { ok: true, value } : { ok: false, reason: 'not_finite' };
}

// The library would also accept 16-byte keys (AES-128) and nonces of other lengths.
function cipherOf(key: Uint8Array, nonce: Uint8Array) {
  abytes(key, KEY_BYTES, 'field key');
  abytes(nonce, NONCE_BYTES, 'nonce');
  return gcm(key, nonce);
}
