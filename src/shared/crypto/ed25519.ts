import { hashes, getPublicKey as publicKeyOfSeed, sign as signWithSeed, verify as verifyWithKey } from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';

// The library's synchronous half works only once it is given a SHA-512.
hashes.sha512 = sha512;

/** The 32-byte Ed25519 public key of a 32-byte seed (RFC 8032's secret key). Throws on another length. */
export function publicKeyOf(seed: Uint8Array): Uint8Array {
  return publicKeyOfSeed(seed);
}

/** The 64-byte detached Ed25519 signature of a message under a 32-byte seed. */
export function sign(message: Uint8Array, seed: Uint8Array): Uint8Array {
  return signWithSeed(message, seed);
}

/** Whether a signature is good by RFC 8032. False, too, where the signature or the key is none. */
export function verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    return verifyWithKey(signature, message, publicKey, { zip215: false });
  } catch {
    return false;
  }
}
