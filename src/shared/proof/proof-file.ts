import { utf8ToBytes } from '../crypto/hex.ts';
import { type CorrectionEntry, type LogEntry, parseEntry, type ReadingEntry, type RegistrationEntry } from './leaf.ts';
import { isSame, leafHash, rootByPath } from './merkle.ts';
import { parseSize } from './note.ts';
import { type ProofOpened, parseOpened } from './opened.ts';
import {
  type ClaimName,
  hashesOf,
  MAX_LINE_BYTES,
  type ProofEnd,
  type ProofEntry,
  parseLine,
  Refused,
  requireMembers,
} from './proof-format.ts';
import { type CheckedHead, type CheckedWitness, type ProofChecks, readHead } from './proof-head.ts';
import { checkSigned } from './signed-claim.ts';

/** Why a proof is refused: the false claim and its line. */
export interface ProofFault {
  readonly claim: ClaimName;
  /** Counts from 1. */
  readonly line: number;
  readonly reason: string;
}

/** The result of a proof. */
export interface Proven extends CheckedHead {
  readonly witnesses: readonly ProvenWitness[];
  /** The number of readings. All of them are in the log's tree. */
  readonly readings: number;
  readonly corrections: readonly CorrectionEntry[];
  /** How the device was registered at the node; empty if the log has no registration. */
  readonly registrations: readonly RegistrationEntry[];
  /** The number of readings with a valid signature of the device. */
  readonly signed: number;
  /** The number of these whose signed string has every plain value. */
  readonly signedValues: number;
  /** The number of readings with encrypted values, which no device signs. */
  readonly sealed: number;
  /** The owner's statement about encrypted values, which nothing here proves; null if there is none. */
  readonly opened: OpenedClaim | null;
  /** The timestamps of the first and the last reading; null if there is none. */
  readonly first: string | null;
  readonly last: string | null;
}

/** The statement of an owner about encrypted values. */
export interface OpenedClaim {
  /** The key that signed, in lowercase hex. */
  readonly owner: string;
  /** The number of readings with decrypted values. */
  readonly readings: number;
  /** Whether a registration in the proof has this key. Registrations are not signed. */
  readonly isRegistered: boolean;
}

/** A witness that saw the log. */
export interface ProvenWitness extends CheckedWitness {
  /** The number of readings in that tree: they existed at that time, and with this content. */
  readonly readings: number;
}

const NEWLINE = 0x0a;

/** Checks a proof piece by piece. The first fault ends the check; the counts until then prove nothing. */
export class ProofCheck {
  readonly #checks: ProofChecks;
  /** The bytes since the last newline. */
  #rest: Uint8Array = new Uint8Array(0);
  #line = 0;
  #head: CheckedHead | null = null;
  #witnesses: readonly (CheckedWitness & { readings: number })[] = [];
  #corrections: CorrectionEntry[] = [];
  #registrations: RegistrationEntry[] = [];
  #counts = { readings: 0, signed: 0, signedValues: 0, sealed: 0 };
  #first: ReadingEntry | null = null;
  #latest: ReadingEntry | null = null;
  /** The kind and index of the previous entry. */
  #place: { readonly kind: LogEntry['kind']; readonly index: number } | null = null;
  /** The reading of the previous line. A line with decrypted values may follow it. */
  #before: { readonly entry: ReadingEntry; readonly leaf: Uint8Array } | null = null;
  #opened: { readonly owner: string; readonly readings: number } | null = null;
  #isOver = false;
  #fault: ProofFault | null = null;

  constructor(checks: ProofChecks) {
    this.#checks = checks;
  }

  /** Why the proof is refused; null if there is no fault so far. */
  get fault(): ProofFault | null {
    return this.#fault;
  }

  /** Accepts the next bytes of the file. */
  take(piece: Uint8Array): void {
    if (this.#fault !== null) return;
    let from = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, from)) {
      this.#takeLine(joined(this.#rest, piece.subarray(from, end)));
      this.#rest = new Uint8Array(0);
      from = end + 1;
    }
    this.#rest = joined(this.#rest, piece.subarray(from));
    // A line without an end must not fill the memory.
    if (this.#rest.length > MAX_LINE_BYTES) this.#takeLine(this.#rest);
  }

  /** Call this after the last byte. Returns null if the proof is refused; see `fault`. */
  finish(): Proven | null {
    if (this.#fault === null && (this.#head === null || !this.#isOver || this.#rest.length > 0)) {
      this.#fault = { claim: 'whole', line: this.#line + 1, reason: 'the file does not end with its last line' };
    }
    if (this.#fault !== null || this.#head === null) return null;
    return {
      ...this.#head,
      ...this.#counts,
      witnesses: this.#witnesses,
      corrections: this.#corrections,
      registrations: this.#registrations,
      opened: this.#opened && { ...this.#opened, isRegistered: this.#isOwner(this.#opened.owner) },
      first: this.#first?.timestamp ?? null,
      last: this.#latest?.timestamp ?? null,
    };
  }

  #takeLine(line: Uint8Array): void {
    if (this.#fault !== null) return;
    this.#line += 1;
    try {
      this.#read(parseLine(line));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#fault = { claim: error.claim, line: this.#line, reason: error.message };
    }
  }

  #read(value: object): void {
    if (this.#isOver) throw new Refused('whole', 'a line follows the last one');
    if (this.#head === null) {
      this.#head = readHead(this.#checks, value);
      this.#witnesses = this.#head.witnesses.map((witness) => ({ ...witness, readings: 0 }));
    } else if ('end' in value) this.#readEnd(value);
    else if ('opened' in value) this.#readOpened(value);
    else this.#readEntry(value, this.#head);
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

  #readEntry(value: object, { device, checkpoint }: CheckedHead): void {
    requireMembers(value, { index: 'number', entry: 'string', path: 'object' });
    const { index, entry: text, path } = value as ProofEntry;
    if (parseSize(String(index)) === null) throw new Refused('whole', 'the index is not a whole number');
    const entry = parseEntry(text);
    if (entry === null) throw new Refused('whole', 'the entry is not one of a log');
    this.#requireOrder(entry, index, device);
    const hashes = hashesOf(path);
    if (hashes === null) throw new Refused('kept', 'the path is not hashes in base64');
    const leaf = leafHash(this.#checks.sha256, utf8ToBytes(text));
    const root = rootByPath(this.#checks.sha256, { index, size: checkpoint.size, leaf, path: hashes });
    if (root === null || !isSame(root, checkpoint.root)) {
      throw new Refused('kept', 'the path does not lead from this entry to the root of the checkpoint');
    }
    this.#place = { kind: entry.kind, index };
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

  /** Returns whether a registration has this key as the owner's. */
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

  #requireOrder(entry: LogEntry, index: number, device: string): void {
    if (entry.kind === 'missing') throw new Refused('whole', 'the entry has no content');
    if (entry.kind !== 'correction' && entry.device !== device) {
      throw new Refused('whole', `the ${entry.kind} is of another device`);
    }
    const [place, latest] = [this.#place, this.#latest];
    if (entry.kind !== 'reading') {
      const isLater =
        place === null ||
        (place.kind === entry.kind
          ? index > place.index
          : place.kind === 'correction' && entry.kind === 'registration');
      if (!isLater) throw new Refused('whole', `the ${entry.kind} is not at its place`);
      return;
    }
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
    const signed = checkSigned(entry, this.#checks.verify);
    if (signed === null) return;
    this.#counts.signed += 1;
    if (signed.isAll) this.#counts.signedValues += 1;
  }
}

/**
 * Checks a proof that arrives in pieces. Returns null if it is refused; see the `fault` of the check. Rejects if the
 * pieces do.
 */
export async function checkProof(check: ProofCheck, pieces: AsyncIterable<Uint8Array>): Promise<Proven | null> {
  for await (const piece of pieces) {
    check.take(piece);
    if (check.fault !== null) break;
  }
  return check.finish();
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}
