import { base64ToBytes, bytesToBase64 } from '../crypto/base64.ts';
import { bytesToHex, utf8ToBytes } from '../crypto/hex.ts';
import { HASH_BYTES, isSame, type Sha256, type TreeHead } from './merkle.ts';

/**
 * Signed notes, checkpoints and cosignatures of the C2SP specifications: c2sp.org/signed-note, tlog-checkpoint,
 * tlog-cosignature. All texts are read strictly: only the exact form that would be written is accepted.
 */

/** The purpose of a key, from its first byte. */
export const SignatureType = { ED25519: 1, COSIGNATURE: 4 } as const;
export type SignatureType = (typeof SignatureType)[keyof typeof SignatureType];

/** A key that checks signatures. */
export interface NoteKey {
  readonly name: string;
  readonly type: SignatureType;
  /** 32 bytes, Ed25519. */
  readonly publicKey: Uint8Array;
}

/** One signature of a note. */
export interface NoteSignature {
  readonly name: string;
  /** The four bytes of the key's id, then the signature. */
  readonly bytes: Uint8Array;
}

/** A text and its signatures. */
export interface Note {
  /** Including its final newline. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** Checks an Ed25519 signature. */
export type VerifyEd25519 = (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => boolean;

const MAX_SIGNATURES = 100;
const KEY_ID_BYTES = 4;
const TIME_BYTES = 8;
const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
// A name has no plus sign and none of the characters that Unicode calls White_Space.
const SIGNATURE_LINE = /^— ([^\p{White_Space}+]+) ([A-Za-z0-9+/]+={0,2})$/u;
const KEY_TEXT = /^([^\p{White_Space}+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a note may have none of them but newlines.
const CONTROL = /[\u0000-\u0009\u000b-\u001f]/;

/** Returns the four bytes that identify a key together with its name. */
export function keyId(sha256: Sha256, { name, type, publicKey }: NoteKey): Uint8Array {
  return sha256(joined(utf8ToBytes(`${name}\n`), Uint8Array.of(type), publicKey)).subarray(0, KEY_ID_BYTES);
}

/** Returns a key as text (a "vkey"). */
export function formatKey(sha256: Sha256, key: NoteKey): string {
  const id = bytesToHex(keyId(sha256, key));
  return `${key.name}+${id}+${bytesToBase64(joined(Uint8Array.of(key.type), key.publicKey))}`;
}

/** Returns the key of a text; null if it is not a key of these types. */
export function parseKey(sha256: Sha256, text: string): NoteKey | null {
  const [, name, , material] = KEY_TEXT.exec(text) ?? [];
  const bytes = material === undefined ? null : strictBase64(material);
  const [type] = bytes ?? [];
  if (bytes === null || bytes.length !== 1 + KEY_BYTES) return null;
  if (type !== SignatureType.ED25519 && type !== SignatureType.COSIGNATURE) return null;
  const key: NoteKey = { name: name!, type, publicKey: bytes.subarray(1) };
  return formatKey(sha256, key) === text ? key : null;
}

/** Returns a note as text. */
export function formatNote({ text, signatures }: Note): string {
  return `${text}\n${signatures.map((each) => `${signatureLine(each)}\n`).join('')}`;
}

/** Returns the line of a signature without its newline. */
export function signatureLine({ name, bytes }: NoteSignature): string {
  return `— ${name} ${bytesToBase64(bytes)}`;
}

/** Returns the signature of a line; null if it is not one. */
export function parseSignatureLine(line: string): NoteSignature | null {
  const [, name, text] = SIGNATURE_LINE.exec(line) ?? [];
  const bytes = text === undefined ? null : strictBase64(text);
  return name === undefined || bytes === null || bytes.length <= KEY_ID_BYTES ? null : { name, bytes };
}

/**
 * Returns the note of a text; null if it is not one. Do not trust its content before a signature of a known key is
 * checked.
 */
export function parseNote(note: string): Note | null {
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n') || CONTROL.test(note)) return null;
  const lines = note.slice(end + 2, -1).split('\n');
  if (lines.length > MAX_SIGNATURES) return null;
  const signatures: NoteSignature[] = [];
  for (const line of lines) {
    const signature = parseSignatureLine(line);
    if (signature === null) return null;
    signatures.push(signature);
  }
  return { text: note.slice(0, end + 1), signatures };
}

/** The result of checking a key's signature of a note. */
export type Signed =
  | { readonly state: 'good'; readonly at: number | null }
  | { readonly state: 'missing' | 'bad' | 'doubled' };

/** Finds and checks the only signature of a key. `at` is the time of a cosignature, in Unix seconds. */
export function signatureOf(
  { sha256, verify }: { readonly sha256: Sha256; readonly verify: VerifyEd25519 },
  { text, signatures }: Note,
  key: NoteKey,
): Signed {
  const id = keyId(sha256, key);
  const own = signatures.filter(({ name, bytes }) => name === key.name && isSame(bytes.subarray(0, KEY_ID_BYTES), id));
  const [line, ...others] = own;
  if (line === undefined) return { state: 'missing' };
  // With two signatures, nobody could say which time the witness meant.
  if (others.length > 0) return { state: 'doubled' };
  const { bytes } = line;
  const at = key.type === SignatureType.COSIGNATURE ? timeOf(bytes) : null;
  if (key.type === SignatureType.COSIGNATURE && at === null) return { state: 'bad' };
  const message = utf8ToBytes(at === null ? text : cosigned(text, at));
  const signature = bytes.subarray(KEY_ID_BYTES + (at === null ? 0 : TIME_BYTES));
  const isGood = signature.length === SIGNATURE_BYTES && verify(signature, message, key.publicKey);
  return isGood ? { state: 'good', at } : { state: 'bad' };
}

/** Returns the signature line of a key. `sign` returns the Ed25519 signature. */
export function signNote(
  sha256: Sha256,
  text: string,
  key: NoteKey,
  sign: (message: Uint8Array) => Uint8Array,
): NoteSignature {
  return { name: key.name, bytes: joined(keyId(sha256, key), sign(utf8ToBytes(text))) };
}

/** Returns the cosignature of a witness at a time in Unix seconds. */
export function cosign(
  sha256: Sha256,
  text: string,
  key: NoteKey,
  at: number,
  sign: (message: Uint8Array) => Uint8Array,
): NoteSignature {
  const time = new Uint8Array(TIME_BYTES);
  new DataView(time.buffer).setBigUint64(0, BigInt(at));
  return { name: key.name, bytes: joined(keyId(sha256, key), time, sign(utf8ToBytes(cosigned(text, at)))) };
}

/** The contents of a checkpoint: its log and its tree. */
export interface Checkpoint extends TreeHead {
  readonly origin: string;
}

/** Returns the text of a checkpoint, for signing. */
export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${bytesToBase64(root)}\n`;
}

/** Reads the text of a note as a checkpoint. Returns null if it is not one, or has more than the three lines. */
export function parseCheckpoint(text: string): Checkpoint | null {
  const [origin, sizeText, rootText, ...rest] = text.split('\n');
  if (rest.length !== 1 || rest[0] !== '' || origin === undefined || origin === '') return null;
  const size = parseSize(sizeText!);
  const root = strictBase64(rootText!);
  return size === null || root?.length !== HASH_BYTES ? null : { origin, size, root };
}

/** Returns a whole number below 2^53 that is written without leading zeroes; null for other texts. */
export function parseSize(text: string): number | null {
  return /^(0|[1-9][0-9]{0,15})$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null;
}

/** Decodes padded base64 in its only canonical form; null for other texts. */
export function strictBase64(text: string): Uint8Array | null {
  try {
    const bytes = base64ToBytes(text);
    return bytesToBase64(bytes) === text ? bytes : null;
  } catch {
    return null;
  }
}

function timeOf(bytes: Uint8Array): number | null {
  if (bytes.length < KEY_ID_BYTES + TIME_BYTES) return null;
  const time = new DataView(bytes.buffer, bytes.byteOffset + KEY_ID_BYTES).getBigUint64(0);
  return time > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(time);
}

const cosigned = (text: string, at: number): string => `cosignature/v1\ntime ${at}\n${text}`;

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
