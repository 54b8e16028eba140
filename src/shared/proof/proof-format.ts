import { isSame } from './merkle.ts';
import { strictBase64 } from './note.ts';

/**
 * A proof is lines of JSON, each in the form of JSON.stringify: a head, the log's corrections of times, registrations
 * of the device, its readings in the order of their timestamps (each may have a line of decrypted values after it), and
 * an end. docs/proof.md has the format.
 */
export const PROOF_FORMAT = 'wellhouse-proof/1';

/** The largest size of a line in bytes, without its newline. */
export const MAX_LINE_BYTES = 1024 ** 2;

/** The first line. */
export interface ProofHead {
  readonly format: typeof PROOF_FORMAT;
  readonly device: string;
  /** The log's key as text. */
  readonly log: string;
  /** A signed note. */
  readonly checkpoint: string;
  /** Trees that witnesses cosigned, and that this tree continues. */
  readonly witnesses: readonly ProofWitness[];
}

/** A tree that a witness cosigned. */
export interface ProofWitness {
  /** The key of the witness as text. */
  readonly key: string;
  /** The cosigned checkpoint of the log, as a note with the signatures of both. */
  readonly checkpoint: string;
  /** The hashes that prove that the tree of the proof's checkpoint continues that tree. */
  readonly consistency: readonly string[];
}

/**
 * A line between head and end: an entry of the log, its index, and the hashes up to the root, the leaf's sibling first.
 */
export interface ProofEntry {
  readonly index: number;
  readonly entry: string;
  readonly path: readonly string[];
}

/** The last line. */
export interface ProofEnd {
  readonly end: true;
  readonly readings: number;
  readonly corrections: number;
  readonly registrations: number;
  /** The number of lines with decrypted values. */
  readonly opened: number;
}

/** The subject of a claim. */
export type ClaimName = 'whole' | 'checkpoint' | 'witnessed' | 'signed' | 'kept' | 'opened';

/** Says that a claim is false, and why. */
export class Refused extends Error {
  readonly claim: ClaimName;

  constructor(claim: ClaimName, reason: string) {
    super(reason);
    this.claim = claim;
  }
}

/** Node and browsers have it; it is not part of the language. */
declare const TextDecoder: new (
  label: string,
  options: { readonly fatal: boolean; readonly ignoreBOM: boolean },
) => { readonly decode: (bytes: Uint8Array) => string };
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/**
 * The escape of half a surrogate pair, which is not a character. JSON.stringify writes no other escape that starts like
 * it.
 */
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\ud/;

/** Returns the object of a line. The line must be in the form of JSON.stringify. Throws Refused. */
export function parseLine(bytes: Uint8Array): object {
  if (bytes.length > MAX_LINE_BYTES) throw new Refused('whole', `the line is longer than ${MAX_LINE_BYTES} bytes`);
  let line: string;
  try {
    line = UTF8.decode(bytes);
  } catch {
    throw new Refused('whole', 'the line is not UTF-8');
  }
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new Refused('whole', 'the line is not JSON');
  }
  const isOneWay = typeof value === 'object' && value !== null && JSON.stringify(value) === line;
  if (!isOneWay || LONE_SURROGATE.test(line)) throw new Refused('whole', 'the line is not written as it has to be');
  return value as object;
}

/** Checks that an object has exactly these members, in this order, of these types. Throws Refused. */
export function requireMembers(value: object, types: Readonly<Record<string, string>>): void {
  const found = Object.entries(value).map(([name, member]) => `${name} ${typeof member}`);
  const wanted = Object.entries(types).map(([name, type]) => `${name} ${type}`);
  if (found.join() !== wanted.join())
    throw new Refused('whole', `the line does not have just ${Object.keys(types).join(', ')}`);
}

/** Returns the hashes of a list in base64; null if it is not such a list. The caller must check their length. */
export function hashesOf(list: unknown): Uint8Array[] | null {
  if (!Array.isArray(list)) return null;
  const hashes = list.map((each) => (typeof each === 'string' ? strictBase64(each) : null));
  return hashes.includes(null) ? null : (hashes as Uint8Array[]);
}

/** Returns whether a list has a key twice. */
export function hasTwice(keys: readonly Uint8Array[]): boolean {
  return keys.some((key, at) => keys.findIndex((other) => isSame(other, key)) < at);
}
