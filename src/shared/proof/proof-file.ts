import { hexToBytes, utf8ToBytes } from '../crypto/hex.ts';
import { FIELD_NAMES } from '../protocol/fields.ts';
import { agrees, parseRaw, type RawContent } from '../protocol/raw.ts';
import { type CorrectionEntry, type LogEntry, parseEntry, type ReadingEntry, type RegistrationEntry } from './leaf.ts';
import { isConsistent, isSame, leafHash, rootByPath, type Sha256 } from './merkle.ts';
import {
  type Checkpoint,
  type NoteKey,
  type NoteSignature,
  parseCheckpoint,
  parseKey,
  parseNote,
  parseSize,
  SignatureType,
  signatureOf,
  strictBase64,
  type VerifyEd25519,
} from './note.ts';
import { type ProofOpened, parseOpened } from './opened.ts';

/**
 * A proof is lines of JSON, each as JSON.stringify writes it: a head, the log's corrections of times, registrations of the
 * device, its readings in the order of their timestamps (each may have a line of opened values after it), and an end. docs/proof.md has the format.
 */
export const PROOF_FORMAT = 'wellhouse-proof/1';

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

/** Why a proof is refused: the claim that does not hold, and where. */
export interface ProofFault {
  readonly claim: ClaimName;
  /** Counted from 1. */
  readonly line: number;
  readonly reason: string;
}

/** The result of a proof. */
export interface Proven {
  readonly device: string;
  readonly log: NoteKey;
  readonly checkpoint: Checkpoint;
  /** The signatures of the checkpoint, the log's among them. */
  readonly signatures: readonly NoteSignature[];
  readonly witnesses: readonly ProvenWitness[];
  /** All of them are in the log's tree. */
  readonly readings: number;
  readonly corrections: readonly CorrectionEntry[];
  /** How the device was registered with the node; empty where the log does not have it. */
  readonly registrations: readonly RegistrationEntry[];
  /** How many have a good signature of the device. */
  readonly signed: number;
  /** How many of these have every plain value in the signed string. */
  readonly signedValues: number;
  /** How many have sealed values, which no device signs. */
  readonly sealed: number;
  /** The owner's statement of sealed values, which nothing here proves; null: there is none. */
  readonly opened: OpenedClaim | null;
  /** Timestamps of the first and the last reading; null: there is none. */
  readonly first: string | null;
  readonly last: string | null;
}

/** The statement of an owner about sealed values. */
export interface OpenedClaim {
  /** The key that signed, lowercase hex. */
  readonly owner: string;
  /** How many readings have opened values. */
  readonly readings: number;
  /** Whether a registration in the proof names this key. Nobody signs a registration. */
  readonly isRegistered: boolean;
}

/** A witness that saw the log. */
export interface ProvenWitness {
  readonly key: NoteKey;
  /** Unix seconds, by the clock of the witness. */
  readonly at: number;
  /** The size of the tree then. */
  readonly size: number;
  /** How many of the readings are in that tree: they were there at that time, as they are here. */
  readonly readings: number;
}

/** The functions that check signatures and hashes. */
export interface ProofChecks {
  readonly sha256: Sha256;
  readonly verify: VerifyEd25519;
}

class Refused extends Error {
  readonly claim: ClaimName;

  constructor(claim: ClaimName, reason: string) {
    super(reason);
    this.claim = claim;
  }
}

/** Checks a proof line by line. The first fault ends it: what was counted until then proves nothing. */
export class ProofCheck {
  readonly #checks: ProofChecks;
  #line = 0;
  #head: { readonly device: string; readonly log: NoteKey; readonly checkpoint: Checkpoint } | null = null;
  #signatures: readonly NoteSignature[] = [];
  #witnesses: readonly (Omit<ProvenWitness, 'readings'> & { readings: number })[] = [];
  #corrections: CorrectionEntry[] = [];
  #registrations: RegistrationEntry[] = [];
  #counts = { readings: 0, signed: 0, signedValues: 0, sealed: 0 };
  #first: ReadingEntry | null = null;
  #latest: ReadingEntry | null = null;
  /** The reading of the line before, which a line with opened values may follow. */
  #before: { readonly entry: ReadingEntry; readonly leaf: Uint8Array } | null = null;
  #opened: { readonly owner: string; readonly readings: number } | null = null;
  #isOver = false;
  #fault: ProofFault | null = null;

  constructor(checks: ProofChecks) {
    this.#checks = checks;
  }

  /** Why the proof is refused; null: nothing speaks against it so far. */
  get fault(): ProofFault | null {
    return this.#fault;
  }

  /** Takes the next line, without its newline. */
  take(line: string): void {
    if (this.#fault !== null) return;
    this.#line += 1;
    try {
      this.#read(line);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#fault = { claim: error.claim, line: this.#line, reason: error.message };
    }
  }

  /** Call this after the last line. Returns null if the proof is refused; see `fault`. */
  finish(): Proven | null {
    if (this.#fault === null && (this.#head === null || !this.#isOver)) {
      this.#fault = { claim: 'whole', line: this.#line + 1, reason: 'the file ends before its last line' };
    }
    if (this.#fault !== null || this.#head === null) return null;
    return {
      ...this.#head,
      ...this.#counts,
      signatures: this.#signatures,
      witnesses: this.#witnesses,
      corrections: this.#corrections,
      registrations: this.#registrations,
      opened: this.#opened && { ...this.#opened, isRegistered: this.#isOwner(this.#opened.owner) },
      first: this.#first?.timestamp ?? null,
      last: this.#latest?.timestamp ?? null,
    };
  }

  #read(line: string): void {
    const value = parseLine(line);
    if (this.#isOver) throw new Refused('whole', 'a line follows the last one');
    if (this.#head === null) this.#readHead(value);
    else if ('end' in value) this.#readEnd(value);
    else if ('opened' in value) this.#readOpened(value);
    else this.#readEntry(value, this.#head);
  }

  #readHead(value: object): void {
    requireMembers(value, {
      ...{ format: 'string', device: 'string', log: 'string', checkpoint: 'string', witnesses: 'object' },
    });
    const { format, device, log, checkpoint, witnesses } = value as ProofHead;
    if (format !== PROOF_FORMAT) throw new Refused('whole', `it is not of the format ${PROOF_FORMAT}`);
    if (!/^[0-9a-f]{64}$/.test(device)) throw new Refused('whole', 'the device is not a public key in lowercase hex');
    const key = parseKey(this.#checks.sha256, log);
    const note = parseNote(checkpoint);
    const said = note === null ? null : parseCheckpoint(note.text);
    if (key === null) throw new Refused('checkpoint', "the log's key is not a key");
    if (note === null || said === null) throw new Refused('checkpoint', 'the checkpoint is not a signed checkpoint');
    if (said.origin !== key.name) throw new Refused('checkpoint', 'the checkpoint is of another log');
    const { state } = signatureOf(this.#checks, note, key);
    if (state !== 'good') throw new Refused('checkpoint', `the signature of the log is ${state}`);
    if (!Array.isArray(witnesses)) throw new Refused('whole', 'the witnesses are not a list');
    this.#witnesses = witnesses.map((witness) => this.#readWitness(witness, key, said));
    if (new Set(witnesses.map((each) => each.key)).size < witnesses.length) {
      throw new Refused('witnessed', 'a witness is there twice');
    }
    this.#head = { device, log: key, checkpoint: said };
    this.#signatures = note.signatures;
  }

  #readWitness(value: unknown, log: NoteKey, newer: Checkpoint) {
    if (typeof value !== 'object' || value === null) throw new Refused('whole', 'a witness is not an object');
    requireMembers(value, { key: 'string', checkpoint: 'string', consistency: 'object' });
    const { key: keyText, checkpoint, consistency } = value as ProofWitness;
    const key = parseKey(this.#checks.sha256, keyText);
    if (key?.type !== SignatureType.COSIGNATURE) throw new Refused('witnessed', 'the key of a witness is not one');
    const note = parseNote(checkpoint);
    const said = note === null ? null : parseCheckpoint(note.text);
    if (note === null || said?.origin !== log.name || signatureOf(this.#checks, note, log).state !== 'good') {
      throw new Refused('witnessed', 'a witness has cosigned no checkpoint of this log');
    }
    const signed = signatureOf(this.#checks, note, key);
    if (signed.state !== 'good' || signed.at === null) {
      throw new Refused('witnessed', `the signature of a witness is ${signed.state}`);
    }
    const hashes = Array.isArray(consistency)
      ? consistency.map((each) => (typeof each === 'string' ? strictBase64(each) : null))
      : [null];
    if (hashes.includes(null) || !isConsistent(this.#checks.sha256, said, newer, hashes as Uint8Array[])) {
      throw new Refused('witnessed', 'the tree does not continue the one that a witness saw');
    }
    return { key, at: signed.at, size: said.size, readings: 0 };
  }

  #readEnd(value: object): void {
    requireMembers(value, {
      ...{ end: 'boolean', readings: 'number', corrections: 'number', registrations: 'number', opened: 'number' },
    });
    const { end, readings, corrections, registrations, opened } = value as ProofEnd;
    const isAll =
      end &&
      readings === this.#counts.readings &&
      corrections === this.#corrections.length &&
      registrations === this.#registrations.length &&
      opened === (this.#opened?.readings ?? 0);
    if (!isAll) throw new Refused('whole', 'it has another number of entries than its last line says');
    this.#isOver = true;
  }

  #readEntry(
    value: object,
    { device, checkpoint }: { readonly device: string; readonly checkpoint: Checkpoint },
  ): void {
    requireMembers(value, { index: 'number', entry: 'string', path: 'object' });
    const { index, entry: text, path } = value as ProofEntry;
    const hashes = Array.isArray(path)
      ? path.map((each) => (typeof each === 'string' ? strictBase64(each) : null))
      : [null];
    if (parseSize(String(index)) === null) throw new Refused('whole', 'the index is not a whole number');
    const entry = parseEntry(text);
    if (entry === null) throw new Refused('whole', 'the entry is not one of a log');
    this.#requireOrder(entry, device);
    if (hashes.includes(null)) throw new Refused('kept', 'the path is not hashes in base64');
    const leaf = leafHash(this.#checks.sha256, utf8ToBytes(text));
    const { size } = checkpoint;
    const root = rootByPath(this.#checks.sha256, { index, size, leaf, path: hashes as Uint8Array[] });
    if (root === null || !isSame(root, checkpoint.root)) {
      throw new Refused('kept', 'the path does not lead from this entry to the root of the checkpoint');
    }
    if (entry.kind === 'correction') this.#corrections.push(entry);
    else if (entry.kind === 'registration') this.#registrations.push(entry);
    else if (entry.kind === 'reading') {
      this.#count(entry);
      this.#before = { entry, leaf };
      for (const witness of this.#witnesses) if (index < witness.size) witness.readings += 1;
    }
  }

  #readOpened(value: object): void {
    requireMembers(value, { opened: 'string', owner: 'string', signature: 'string' });
    const said = value as ProofOpened;
    const before = this.#before;
    this.#before = null;
    if (before === null) throw new Refused('whole', 'opened values follow no reading');
    if (this.#opened !== null && this.#opened.owner !== said.owner) {
      throw new Refused('opened', 'opened values are of two owners');
    }
    if (parseOpened(said, before, this.#checks.verify) === null) {
      throw new Refused('opened', 'the owner did not sign these values for this reading');
    }
    this.#opened = { owner: said.owner, readings: (this.#opened?.readings ?? 0) + 1 };
  }

  /** Whether a registration names a key as that of the owner. */
  #isOwner(key: string): boolean {
    return this.#registrations.some(({ received }) => {
      try {
        const { ownerPubkey } = JSON.parse(received ?? 'null') as { readonly ownerPubkey?: unknown };
        return typeof ownerPubkey === 'string' && ownerPubkey.toLowerCase() === key;
      } catch {
        return false;
      }
    });
  }

  #requireOrder(entry: LogEntry, device: string): void {
    if (entry.kind === 'missing') throw new Refused('whole', 'the entry has no content');
    if (entry.kind === 'correction') {
      const isFirst = this.#latest === null && this.#registrations.length === 0;
      if (!isFirst) throw new Refused('whole', 'a correction follows a registration or a reading');
      return;
    }
    if (entry.device !== device) throw new Refused('whole', `the ${entry.kind} is of another device`);
    if (entry.kind === 'registration') {
      if (this.#latest !== null) throw new Refused('whole', 'a registration follows a reading');
      return;
    }
    const latest = this.#latest;
    const isLater =
      latest === null ||
      BigInt(entry.timestamp) > BigInt(latest.timestamp) ||
      (entry.timestamp === latest.timestamp && BigInt(entry.seq) > BigInt(latest.seq));
    if (!isLater) throw new Refused('whole', 'the readings are not in the order of their timestamps');
  }

  #count(entry: ReadingEntry): void {
    this.#first ??= entry;
    this.#latest = entry;
    this.#counts.readings += 1;
    if ([...entry.fields.values()].some((value) => typeof value !== 'number')) this.#counts.sealed += 1;
    if (entry.signed === null) return;
    const { signature, raw } = entry.signed;
    if (!this.#checks.verify(signature, raw, hexToBytes(entry.device))) {
      throw new Refused('signed', "the signature is not one of the device's key");
    }
    const said = parseRaw(Array.from(raw, (byte) => String.fromCharCode(byte)).join(''));
    if (said !== null && !headerAgrees(said, entry)) {
      throw new Refused('signed', 'the device signed this for another reading');
    }
    const coverage = said === null ? 'none' : coverageOf(said, entry);
    if (coverage === 'other') throw new Refused('signed', 'the device signed other values');
    this.#counts.signed += 1;
    if (coverage === 'all') this.#counts.signedValues += 1;
  }
}

/** The value of a line; it must be an object that is written in the one way that JSON.stringify has. */
function parseLine(line: string): object {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new Refused('whole', 'the line is not JSON');
  }
  if (typeof value !== 'object' || value === null || JSON.stringify(value) !== line) {
    throw new Refused('whole', 'the line is not written as it has to be');
  }
  return value;
}

/** The members must be just these, in this order, of these types. */
function requireMembers(value: object, types: Readonly<Record<string, string>>): void {
  const found = Object.entries(value).map(([name, member]) => `${name} ${typeof member}`);
  const wanted = Object.entries(types).map(([name, type]) => `${name} ${type}`);
  if (found.join() !== wanted.join())
    throw new Refused('whole', `the line does not have just ${Object.keys(types).join(', ')}`);
}

function headerAgrees(raw: RawContent, { device, seq, timestamp, keyVersion }: ReadingEntry): boolean {
  return (
    raw.deviceId.toLowerCase() === device &&
    BigInt(raw.seq) === BigInt(seq) &&
    BigInt(raw.timestamp) === BigInt(timestamp) &&
    BigInt(raw.keyVersion) === BigInt(keyVersion)
  );
}

/** Whether what was signed has all plain values of a reading, only some, or other ones. */
function coverageOf(raw: RawContent, { fields }: ReadingEntry): 'all' | 'none' | 'other' {
  let isAll = !raw.hasDuplicate;
  for (const name of FIELD_NAMES) {
    const value = fields.get(name);
    if (typeof value !== 'number') continue;
    const signed = raw.fields.get(name);
    if (signed === undefined) isAll = false;
    else if (!agrees(signed, value)) return 'other';
  }
  return isAll ? 'all' : 'none';
}

/** The most characters of a line: no entry is near it. */
const MAX_LINE = 1024 ** 2;

/** Checks a proof that comes in pieces of text. null: it is refused, see the `fault` of the check. Rejects as the pieces do. */
export async function checkProof(check: ProofCheck, pieces: AsyncIterable<string>): Promise<Proven | null> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop()!;
    for (const line of lines) check.take(line);
    if (check.fault !== null || rest.length > MAX_LINE) break;
  }
  // What has no newline at its end is not a whole line.
  if (rest !== '') check.take(`${rest.slice(0, MAX_LINE)}\u0000`);
  return check.finish();
}
