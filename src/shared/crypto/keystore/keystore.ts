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
/** Contents are filled up to a multiple of this, so that the size of a file says little about what is in it. */
const PAD_TO_BYTES = 1024;
/** About half a second and 128 MiB in a browser of a desktop machine. */
export const DEFAULT_COST: ScryptCost = { n: 2 ** 17, r: 8, p: 1 };

/** A keystore that is unlocked. */
export interface OpenKeystore {
  readonly header: KeystoreHeader;
  /**
   * The key that the payload is sealed under, and the part that the operating system may remember. Never the
   * passphrase.
   */
  readonly dataKey: Uint8Array;
  readonly contents: KeystoreContents;
}

/** A keystore together with the file to keep it as. */
export interface WrittenKeystore {
  readonly bytes: Uint8Array;
  readonly keystore: OpenKeystore;
}

/**
 * `damaged`: not as it was written, or no keystore at all; `newer_version`: of a later Wellhouse; `wrong_passphrase`
 * and `wrong_key`: the file is whole, and opens to another one.
 */
export type OpenOutcome<Wrong extends string> =
  | { readonly ok: true; readonly keystore: OpenKeystore }
  | { readonly ok: false; readonly reason: 'damaged' | 'newer_version' | Wrong };

/** How a passphrase becomes a key. */
export interface PassphraseOptions {
  /** Called with the share of the work that is done, 0 to 1. */
  readonly onProgress?: (done: number) => void;
  readonly cost?: ScryptCost;
}

/** Makes a keystore under a passphrase. Throws RangeError on an empty passphrase and on a cost outside the bounds. */
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

/** Opens a keystore with the data key that the operating system remembered (32 bytes). Never throws. */
export function unlockWithDataKey(bytes: Uint8Array, dataKey: Uint8Array): OpenOutcome<'wrong_key'> {
  const parsed = parseFile(bytes);
  if (!parsed.ok) return parsed;
  if (dataKey.length !== DATA_KEY_BYTES) return { ok: false, reason: 'wrong_key' };
  return openPayload(parsed, dataKey.slice()) ?? { ok: false, reason: 'wrong_key' };
}

/** The operating system's wrap of a keystore's data key, to be unwrapped by it; null where there is none. */
export function osWrapOf(bytes: Uint8Array): Uint8Array | null {
  const parsed = parseFile(bytes);
  return parsed.ok ? parsed.header.osWrap : null;
}

/**
 * The keystore with other contents, under the same keys (and the same array: wiping one wipes the other). Throws
 * RangeError where it would be over 3 MiB and TypeError on contents that no keystore may hold.
 */
export function saveContents(keystore: OpenKeystore, contents: KeystoreContents): WrittenKeystore {
  return write(keystore.header, keystore.dataKey, contents);
}

/**
 * The keystore under another passphrase. The data key is a new one: whoever knew the old passphrase and an old file
 * opens no later file. So an OS wrap falls away, and is to be made again of the new data key.
 */
export function changePassphrase(
  keystore: OpenKeystore,
  passphrase: string,
  options: PassphraseOptions = {},
): Promise<WrittenKeystore> {
  return createKeystore(passphrase, keystore.contents, options);
}

/**
 * The keystore with a second way in (what the operating system made of `keystore.dataKey`, 1 to 4096 bytes), or
 * without it (null). The header is bound to the payload, so this seals the payload again.
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
  // Says nothing of what is wrong with them: it would say what is in them.
  if (!isKeystoreContents(contents)) throw new TypeError('no keystore may hold these contents');
  const text = JSON.stringify({ ...contents, version: CONTENTS_VERSION });
  const json = utf8ToBytes(text);
  const padded = new Uint8Array(Math.ceil(json.length / PAD_TO_BYTES) * PAD_TO_BYTES).fill(0x20);
  padded.set(json);
  const headerBytes = encodeHeader(header);
  const bytes = encodeFile(headerBytes, seal(dataKey, padded, headerBytes));
  json.fill(0);
  padded.fill(0);
  // A copy: what is kept does not change with what the caller holds.
  return { bytes, keystore: { header, dataKey, contents: JSON.parse(text) as KeystoreContents } };
}

/**
 * null if the payload is sealed under another key, or if it or the header was changed by somebody who recomputed the
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

/** Nonce, cipher and tag of XChaCha20-Poly1305; its nonces are long enough to be drawn at random for ever. */
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
