import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { bytesToUtf8 } from '@noble/ciphers/utils.js';
import { scryptAsync } from '@noble/hashes/scrypt.js';
import { abytes, concatBytes, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { CONTENTS_VERSION, isKeystoreContents, type KeystoreContents } from './keystore-contents.ts';
import {
  encodeFile,
  encodeHeader,
  isCostAllowed,
  type KeystoreHeader,
  kdfBytes,
  type ParsedKeystore,
  parseFile,
  SALT_BYTES,
  type ScryptCost,
  XNONCE_BYTES,
} from './keystore-format.ts';

const DATA_KEY_BYTES = 32;
/** Contents are padded to a multiple of this, so that the size of a file reveals little about them. */
const PAD_TO_BYTES = 1024;
/** Takes about half a second and 128 MiB in a browser on a desktop machine. */
export const DEFAULT_COST: ScryptCost = { n: 2 ** 17, r: 8, p: 1 };

/** An unlocked keystore. */
export interface OpenKeystore {
  readonly header: KeystoreHeader;
  /** The key that encrypts the payload. The operating system may remember it; it never gets the passphrase. */
  readonly dataKey: Uint8Array;
  readonly contents: KeystoreContents;
}

/** A keystore and the bytes of its file. */
export interface WrittenKeystore {
  readonly bytes: Uint8Array;
  readonly keystore: OpenKeystore;
}

/**
 * `damaged`: changed or lost bytes, or not a keystore; `newer_version`: made by a later Wellhouse; `wrong_passphrase`
 * and `wrong_key`: the file is intact, but needs another passphrase or key.
 */
export type OpenOutcome<Wrong extends string> =
  | { readonly ok: true; readonly keystore: OpenKeystore }
  | { readonly ok: false; readonly reason: 'damaged' | 'newer_version' | Wrong };

/** Options of the derivation of a key from a passphrase. */
export interface PassphraseOptions {
  /** Called with the fraction of the work that is done, 0 to 1. */
  readonly onProgress?: (done: number) => void;
  readonly cost?: ScryptCost;
}

/** Creates a keystore under a passphrase. Throws RangeError on an empty passphrase and on a cost outside the limits. */
export async function createKeystore(
  passphrase: string,
  contents: KeystoreContents,
  options: PassphraseOptions = {},
): Promise<WrittenKeystore> {
  const cost = options.cost ?? DEFAULT_COST;
  if (!isCostAllowed(cost)) throw new RangeError('scrypt cost outside the bounds');
  const salt = randomBytes(SALT_BYTES);
  const dataKey = randomBytes(DATA_KEY_BYTES);
  const passphraseKey = await keyOfPassphrase(passphrase, cost, salt, options.onProgress);
  const passphraseWrap = seal(passphraseKey, dataKey, kdfBytes(cost, salt));
  passphraseKey.fill(0);
  return write({ cost, salt, passphraseWrap, osWrap: null }, dataKey, contents);
}

/** Opens a keystore with its passphrase. Never throws, whatever the bytes. */
export async function openKeystore(
  bytes: Uint8Array,
  passphrase: string,
  options: Pick<PassphraseOptions, 'onProgress'> = {},
): Promise<OpenOutcome<'wrong_passphrase'>> {
  const parsed = parseFile(bytes);
  if (!parsed.ok) return parsed;
  if (passphrase === '') return { ok: false, reason: 'wrong_passphrase' };
  const { cost, salt, passphraseWrap } = parsed.header;
  const passphraseKey = await keyOfPassphrase(passphrase, cost, salt, options.onProgress);
  const dataKey = open(passphraseKey, passphraseWrap, kdfBytes(cost, salt));
  passphraseKey.fill(0);
  if (dataKey === null) return { ok: false, reason: 'wrong_passphrase' };
  return openPayload(parsed, dataKey) ?? { ok: false, reason: 'damaged' };
}

/** Opens a keystore with the data key (32 bytes) that the operating system remembered. Never throws. */
export function unlockWithDataKey(bytes: Uint8Array, dataKey: Uint8Array): OpenOutcome<'wrong_key'> {
  const parsed = parseFile(bytes);
  if (!parsed.ok) return parsed;
  if (dataKey.length !== DATA_KEY_BYTES) return { ok: false, reason: 'wrong_key' };
  return openPayload(parsed, dataKey.slice()) ?? { ok: false, reason: 'wrong_key' };
}

/** Returns a keystore's data key as the operating system wrapped it; null if there is no such wrap. */
export function osWrapOf(bytes: Uint8Array): Uint8Array | null {
  const parsed = parseFile(bytes);
  return parsed.ok ? parsed.header.osWrap : null;
}

/**
 * Returns the keystore with other contents under the same keys (in the same array: wiping one wipes the other). Throws
 * RangeError if it would be larger than 3 MiB, and TypeError on contents that are not valid.
 */
export function saveContents(keystore: OpenKeystore, contents: KeystoreContents): WrittenKeystore {
  return write(keystore.header, keystore.dataKey, contents);
}

/**
 * Returns the keystore under another passphrase. Its data key is new: the old passphrase and an old file do not open a
 * later file. So the OS wrap is dropped and must be made again from the new data key.
 */
export function changePassphrase(
  keystore: OpenKeystore,
  passphrase: string,
  options: PassphraseOptions = {},
): Promise<WrittenKeystore> {
  return createKeystore(passphrase, keystore.contents, options);
}

/**
 * Returns the keystore with an OS wrap (the operating system's wrap of `keystore.dataKey`, 1 to 4096 bytes), or without
 * one (null). The payload authenticates the header, so this encrypts the payload again.
 */
export function withOsWrap(keystore: OpenKeystore, osWrap: Uint8Array | null): WrittenKeystore {
  return write({ ...keystore.header, osWrap: osWrap?.slice() ?? null }, keystore.dataKey, keystore.contents);
}

/** Overwrites the data key. Strings (phrases, hex keys) can't be overwritten: drop every reference to the contents. */
export function wipeKeystore(keystore: OpenKeystore): void {
  keystore.dataKey.fill(0);
}

async function keyOfPassphrase(
  passphrase: string,
  { n, r, p }: ScryptCost,
  salt: Uint8Array,
  onProgress?: (done: number) => void,
): Promise<Uint8Array> {
  const bytes = utf8ToBytes(passphrase.normalize('NFKD'));
  if (bytes.length === 0) throw new RangeError('the passphrase is empty');
  const progress = onProgress === undefined ? {} : { onProgress };
  const key = await scryptAsync(bytes, salt, { N: n, r, p, dkLen: DATA_KEY_BYTES, ...progress });
  bytes.fill(0);
  return key;
}

function write(header: KeystoreHeader, dataKey: Uint8Array, contents: KeystoreContents): WrittenKeystore {
  // The error does not say what is wrong with the contents: that would reveal them.
  if (!isKeystoreContents(contents)) throw new TypeError('no keystore may hold these contents');
  const text = JSON.stringify({ ...contents, version: CONTENTS_VERSION });
  const json = utf8ToBytes(text);
  const padded = new Uint8Array(Math.ceil(json.length / PAD_TO_BYTES) * PAD_TO_BYTES).fill(0x20);
  padded.set(json);
  const headerBytes = encodeHeader(header);
  const bytes = encodeFile(headerBytes, seal(dataKey, padded, headerBytes));
  json.fill(0);
  padded.fill(0);
  // A copy: later changes by the caller do not change it.
  return { bytes, keystore: { header, dataKey, contents: JSON.parse(text) as KeystoreContents } };
}

/**
 * Returns null if another key encrypted the payload, or if someone changed it or the header and recomputed the
 * checksum.
 */
function openPayload(
  { header, headerBytes, payload }: ParsedKeystore & { ok: true },
  dataKey: Uint8Array,
): OpenOutcome<never> | null {
  const padded = open(dataKey, payload, headerBytes);
  if (padded === null) return null;
  const contents = readContents(padded);
  padded.fill(0);
  return typeof contents === 'string'
    ? { ok: false, reason: contents }
    : { ok: true, keystore: { header, dataKey, contents } };
}

function readContents(padded: Uint8Array): KeystoreContents | 'damaged' | 'newer_version' {
  let json: unknown;
  try {
    json = JSON.parse(bytesToUtf8(padded));
  } catch {
    return 'damaged';
  }
  if (isKeystoreContents(json)) return json;
  const version = typeof json === 'object' && json !== null && 'version' in json ? json.version : null;
  return typeof version === 'number' && version > CONTENTS_VERSION ? 'newer_version' : 'damaged';
}

/** Returns nonce, cipher and tag of XChaCha20-Poly1305. Its nonces are long enough to be random without limit. */
function seal(key: Uint8Array, plaintext: Uint8Array, associated: Uint8Array): Uint8Array {
  abytes(key, DATA_KEY_BYTES);
  const nonce = randomBytes(XNONCE_BYTES);
  return concatBytes(nonce, xchacha20poly1305(key, nonce, associated).encrypt(plaintext));
}

function open(key: Uint8Array, sealed: Uint8Array, associated: Uint8Array): Uint8Array | null {
  try {
    return xchacha20poly1305(key, sealed.subarray(0, XNONCE_BYTES), associated).decrypt(sealed.subarray(XNONCE_BYTES));
  } catch {
    return null;
  }
}
