import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { MAX_KEYSTORE_BYTES } from './keystore-limits.ts';

/** The layout of a keystore file, without any secret. docs/keystore-format.md has it as a table. */

/** Nine bytes, so that a keystore in base64 always starts with the same twelve letters. */
const MAGIC = utf8ToBytes('WELLHKEYS');
export const KEYSTORE_VERSION = 1;
/** The largest size of the data key as the operating system wraps it. */
export const MAX_OS_WRAP_BYTES = 4096;
export const SALT_BYTES = 32;
export const XNONCE_BYTES = 24;
export const WRAP_BYTES = XNONCE_BYTES + 32 + 16;
const CHECKSUM_BYTES = 32;
const KDF_SCRYPT = 1;
const VERSION_AT = MAGIC.length;
/** Magic, version, kdf, log2 N, r, p, salt. */
const KDF_END = VERSION_AT + 2 + 4 + SALT_BYTES;
const OS_LENGTH_AT = KDF_END + WRAP_BYTES;
const OS_WRAP_AT = OS_LENGTH_AT + 2;

/** The cost of scrypt. It uses 128 × N × r bytes of memory (N is a power of two); p multiplies the time. */
export interface ScryptCost {
  readonly n: number;
  readonly r: number;
  readonly p: number;
}

/** The part of a keystore that is readable without a key. The payload authenticates all of it. */
export interface KeystoreHeader {
  readonly cost: ScryptCost;
  readonly salt: Uint8Array;
  /** The data key encrypted under the passphrase: nonce, cipher, tag. */
  readonly passphraseWrap: Uint8Array;
  /** The data key as the operating system encrypted it; null if the system does not remember it. */
  readonly osWrap: Uint8Array | null;
}

export type ParsedKeystore =
  | {
      readonly ok: true;
      readonly header: KeystoreHeader;
      /** The header's bytes in the file: the associated data of the payload. */
      readonly headerBytes: Uint8Array;
      /** Nonce, cipher, tag. */
      readonly payload: Uint8Array;
    }
  | { readonly ok: false; readonly reason: 'damaged' | 'newer_version' };

/**
 * Returns whether the parameters are within the limits: enough to slow guessing, too little to block or crash a page.
 */
export function isCostAllowed({ n, r, p }: ScryptCost): boolean {
  const isN = Number.isInteger(n) && n >= 2 ** 15 && n <= 2 ** 18 && Number.isInteger(Math.log2(n));
  return isN && r === 8 && Number.isInteger(p) && p >= 1 && p <= 4;
}

/** Returns the header's first part, which the passphrase wrap authenticates. */
export function kdfBytes(cost: ScryptCost, salt: Uint8Array): Uint8Array {
  const version = Uint8Array.of(KEYSTORE_VERSION >> 8, KEYSTORE_VERSION & 0xff);
  return concatBytes(MAGIC, version, Uint8Array.of(KDF_SCRYPT, Math.log2(cost.n), cost.r, cost.p), salt);
}

/** Returns the whole header. Throws RangeError if an OS wrap is empty or larger than 4 KiB. */
export function encodeHeader({ cost, salt, passphraseWrap, osWrap }: KeystoreHeader): Uint8Array {
  if (osWrap !== null && (osWrap.length === 0 || osWrap.length > MAX_OS_WRAP_BYTES)) {
    throw new RangeError(`an OS wrap has 1 to ${MAX_OS_WRAP_BYTES} bytes`);
  }
  const length = osWrap?.length ?? 0;
  const lengthBytes = Uint8Array.of(length >> 8, length & 0xff);
  return concatBytes(kdfBytes(cost, salt), passphraseWrap, lengthBytes, osWrap ?? new Uint8Array());
}

/** Returns the file: header, payload, and the SHA-256 of both. Throws RangeError if it would be larger than 3 MiB. */
export function encodeFile(headerBytes: Uint8Array, payload: Uint8Array): Uint8Array {
  const body = concatBytes(headerBytes, payload);
  if (body.length + CHECKSUM_BYTES > MAX_KEYSTORE_BYTES) throw new RangeError('the keystore is too large');
  return concatBytes(body, sha256(body));
}

/**
 * Parses a file. The checksum is checked first, and every version has it: accidental damage is always reported as
 * damage, whichever byte it changed, and never as a newer version or a wrong passphrase.
 */
export function parseFile(bytes: Uint8Array): ParsedKeystore {
  if (!isIntact(bytes)) return { ok: false, reason: 'damaged' };
  const version = uint16(bytes, VERSION_AT);
  if (version > KEYSTORE_VERSION) return { ok: false, reason: 'newer_version' };
  const [kdf, log2N, r, p] = bytes.subarray(VERSION_AT + 2);
  const cost = { n: 2 ** log2N!, r: r!, p: p! };
  const osLength = bytes.length >= OS_WRAP_AT ? uint16(bytes, OS_LENGTH_AT) : 0;
  const headerLength = OS_WRAP_AT + osLength;
  const payload = bytes.slice(headerLength, -CHECKSUM_BYTES);
  const isWhole = payload.length >= XNONCE_BYTES + 16 && bytes.length <= MAX_KEYSTORE_BYTES;
  if (version !== KEYSTORE_VERSION || kdf !== KDF_SCRYPT || !isCostAllowed(cost) || !isWhole) {
    return { ok: false, reason: 'damaged' };
  }
  if (osLength > MAX_OS_WRAP_BYTES) return { ok: false, reason: 'damaged' };
  const header = {
    cost,
    salt: bytes.slice(KDF_END - SALT_BYTES, KDF_END),
    passphraseWrap: bytes.slice(KDF_END, OS_LENGTH_AT),
    osWrap: osLength === 0 ? null : bytes.slice(OS_WRAP_AT, headerLength),
  };
  return { ok: true, header, headerBytes: bytes.slice(0, headerLength), payload };
}

/** Returns whether the bytes are an undamaged keystore of any version. This reveals nothing of the contents. */
export function isIntact(bytes: Uint8Array): boolean {
  if (bytes.length < VERSION_AT + 2 + CHECKSUM_BYTES) return false;
  if (MAGIC.some((byte, index) => bytes[index] !== byte)) return false;
  const expected = sha256(bytes.subarray(0, -CHECKSUM_BYTES));
  const checksum = bytes.subarray(-CHECKSUM_BYTES);
  return expected.every((byte, index) => checksum[index] === byte);
}

/** Returns the format version of an undamaged keystore. */
export function versionOf(bytes: Uint8Array): number {
  return uint16(bytes, VERSION_AT);
}

function uint16(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 8) | bytes[at + 1]!;
}
