import { hashes, Point, getPublicKey as publicKeyOfSeed, sign as signWithSeed } from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { bytesToHex } from './hex.ts';

// The library's synchronous functions need a SHA-512.
hashes.sha512 = sha512;

/** Returns the 32-byte Ed25519 public key of a 32-byte seed (RFC 8032's secret key). Throws on another length. */
export function publicKeyOf(seed: Uint8Array): Uint8Array {
  return publicKeyOfSeed(seed);
}

/** Returns the 64-byte detached Ed25519 signature of a message under a 32-byte seed. */
export function sign(message: Uint8Array, seed: Uint8Array): Uint8Array {
  return signWithSeed(message, seed);
}

const { p: P, n: L } = Point.CURVE();
/** The y coordinate of two points of order 8. The y of the other two is its negative. */
const EIGHTH_Y = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
const SMALL_ORDER_Y: ReadonlySet<bigint> = new Set([0n, 1n, P - 1n, EIGHTH_Y, P - EIGHTH_Y]);

/**
 * Returns whether a signature is valid by the rule of docs/proof.md, which is also libsodium's rule: only canonical
 * numbers and points, no point of small order, and no multiplication by the cofactor. Returns false, too, if the
 * signature or the key is malformed.
 */
export function verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  if (signature.length !== 64 || publicKey.length !== 32) return false;
  const [r, s] = [signature.subarray(0, 32), numberOf(signature.subarray(32))];
  if (s >= L || isSmallOrder(r) || isSmallOrder(publicKey)) return false;
  try {
    const challenge = numberOf(sha512(concatBytes(r, publicKey, message))) % L;
    const key = Point.fromBytes(publicKey);
    const expected = Point.BASE.multiplyUnsafe(s).subtract(key.multiplyUnsafe(challenge)).toBytes();
    return expected.every((byte, at) => byte === r[at]);
  } catch {
    return false;
  }
}

function isSmallOrder(point: Uint8Array): boolean {
  return SMALL_ORDER_Y.has(BigInt.asUintN(255, numberOf(point)));
}

/** Returns the number that little-endian bytes encode. */
function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${bytesToHex(Uint8Array.from(bytes).reverse())}`);
}
