import { createPrivateKey, createPublicKey, pbkdf2Sync } from 'node:crypto';
import { normalizePhrase } from '../../shared/crypto/phrase/derivations.ts';

const SEED_BYTES = 32;
/** PKCS #8 of an Ed25519 private key, before its 32 bytes (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * The Ed25519 public key, in lowercase hex, of a phrase in the standard derivation (BIP-39, empty passphrase). The same as
 * `standardSeed` and `publicKeyOf` give, by way of OpenSSL: their JavaScript would be a large part of a node's start, and
 * what V8 makes of it would stay in memory. The phrase must have been checked.
 */
export function publicKeyOfPhrase(phrase: string): string {
  const seed = pbkdf2Sync(normalizePhrase(phrase), 'mnemonic', 2048, 64, 'sha512').subarray(0, SEED_BYTES);
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  return Buffer.from(x!, 'base64url').toString('hex');
}
