import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject, pbkdf2Sync } from 'node:crypto';
import { normalizePhrase } from '../../shared/crypto/phrase/normalize-phrase.ts';
import { DEMO_DEVICES, demoDeviceSeed } from '../../shared/demo-keys.ts';

const SEED_BYTES = 32;
/** The PKCS #8 header of an Ed25519 private key, before its 32 bytes (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * Returns the Ed25519 public key, in lowercase hex, of a phrase in the standard derivation (BIP-39, empty passphrase).
 * The result equals that of `standardSeed` and `publicKeyOf`, but OpenSSL computes it: their JavaScript would take a
 * large part of a node's start, and its compiled code would stay in memory. The phrase must have been checked.
 */
export function publicKeyOfPhrase(phrase: string): string {
  return publicKeyBytes(privateKeyOf(seedOfPhrase(phrase))).toString('hex');
}

/**
 * Derives an Ed25519 key for one purpose from a phrase: the seed of the node's key goes through HKDF-SHA-256 (no salt)
 * with the purpose as info. The key reveals nothing about the node's key or about keys for other purposes.
 */
export function derivedKey(phrase: string, purpose: string): KeyObject {
  return privateKeyOf(Buffer.from(hkdfSync('sha256', seedOfPhrase(phrase), '', purpose, SEED_BYTES)));
}

/** Returns the ids of the demo devices of the node with this public key; all in lowercase hex. */
export function demoDeviceIds(nodePublicKey: string): string[] {
  return Array.from({ length: DEMO_DEVICES }, (_, number) =>
    publicKeyBytes(privateKeyOf(demoDeviceSeed(nodePublicKey, number))).toString('hex'),
  );
}

/** Returns the 32 bytes of the public key of an Ed25519 private key. */
export function publicKeyBytes(key: KeyObject): Buffer {
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  return Buffer.from(x!, 'base64url');
}

function seedOfPhrase(phrase: string): Buffer {
  return pbkdf2Sync(normalizePhrase(phrase), 'mnemonic', 2048, 64, 'sha512').subarray(0, SEED_BYTES);
}

function privateKeyOf(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
}
