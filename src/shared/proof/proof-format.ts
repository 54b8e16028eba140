import { isSame } from './merkle.ts';
import { strictBase64 } from './note.ts';

/**
 * A proof is lines of JSON, each as JSON.stringify writes it: a head, the log's corrections of times, registrations of the
 * device, its readings in the order of their timestamps (each may have a line of opened values after it), and an end. docs/proof.md has the format.
 */
export const PROOF_FORMAT = 'wellhouse-proof/1';

/** The most bytes of a line, without its newline. */
export const MAX_LINE_BYTES = 1024 ** 2;

/** The first line. */
export interface ProofHead {
  readonly format: typeof PROOF_FORMAT;
  readonly device: string;
  /** The log's key as text. */
  readonly log: string;
  /** A signed note. */
  readonly checkpoint: string;
  /** Trees that others cosigned, and that this one continues. */
  readonly witnesses: readonly ProofWitness[];
}

/** A tree that a witness cosigned. */
export interface ProofWitness {
  /** The key of the witness as text. */
  readonly key: string;
  /** The checkpoint of the log that it cosigned, as a note with the signatures of both. */
  readonly checkpoint: string;
  /** The hashes that show that the tree of the proof's checkpoint continues it. */
  readonly consistency: readonly string[];
}

/** A line between them: an entry of the log, its index, and the hashes that lead to the root, the leaf's sibling first. */
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
  /** Lines with opened values. */
  readonly opened: number;
}

/** The subject of a claim. */
export type ClaimName = 'whole' | 'checkpoint' | 'witnessed' | 'signed' | 'kept' | 'opened';

/** Says that a claim does not hold, and why. */
export class Refused extends Error {
  readonly claim: ClaimName;

  constructor(claim: ClaimName, reason: string) {
    super(reason);
    this.claim = claim;
  }
}

/** Node and browsers have it, the language itself does not. */
declare const TextDecoder: new (
  label: string,
  options: { readonly fatal: boolean; readonly ignoreBOM: boolean },
) => { readonly decode: (bytes: Uint8Array) => string };
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** The escape of half a surrogate pair, which is no character: JSON.stringify writes no other one that begins so. */
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\ud/;

/** The object of a line; it must be written in the one way that JSON.stringify has. Throws Refused. */
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

/** The members must be just these, in this order, of these types. Throws Refused. */
export function requireMembers(value: object, types: Readonly<Record<string, string>>): void {
  const found = Object.entries(value).map(([name, member]) => `${name} ${typeof member}`);
  const wanted = Object.entries(types).map(([name, type]) => `${name} ${type}`);
  if (found.join() !== wanted.join())
    throw new Refused('whole', `the line does not have just ${Object.keys(types).join(', ')}`);
}

/** The hashes of a list in base64; null: it is none. How long they are is for the caller to check. */
export function hashesOf(list: unknown): Uint8Array[] | null {
  if (!Array.isArray(list)) return null;
  const hashes = list.map((each) => (typeof each === 'string' ? strictBase64(each) : null));
  return hashes.includes(null) ? null : (hashes as Uint8Array[]);
}

/** Whether some key is in a list twice. */
export function hasTwice(keys: readonly Uint8Array[]): boolean {
  return keys.some((key, at) => keys.findIndex((other) => isSame(other, key)) < at);
}
