import { isConsistent, isSame, type Sha256 } from './merkle.ts';
import {
  type Checkpoint,
  type Note,
  type NoteKey,
  type NoteSignature,
  parseCheckpoint,
  parseKey,
  parseNote,
  SignatureType,
  signatureOf,
  type VerifyEd25519,
} from './note.ts';
import {
  type ClaimName,
  hashesOf,
  hasTwice,
  PROOF_FORMAT,
  type ProofHead,
  type ProofWitness,
  Refused,
  requireMembers,
} from './proof-format.ts';

/** The functions that check signatures and hashes. */
export interface ProofChecks {
  readonly sha256: Sha256;
  readonly verify: VerifyEd25519;
}

/** A tree that a witness saw, after its check. */
export interface CheckedWitness {
  readonly key: NoteKey;
  /** Unix seconds by the clock of the witness. */
  readonly at: number;
  /** The size of the tree at that time. */
  readonly size: number;
}

/** The content of a head after the check of all its signatures. */
export interface CheckedHead {
  readonly device: string;
  readonly log: NoteKey;
  readonly checkpoint: Checkpoint;
  /** The signatures of the checkpoint, including the log's. */
  readonly signatures: readonly NoteSignature[];
  readonly witnesses: readonly CheckedWitness[];
}

/** Reads and checks the head of a proof. Throws Refused. */
export function readHead(checks: ProofChecks, value: object): CheckedHead {
  requireMembers(value, {
    ...{ format: 'string', device: 'string', log: 'string', checkpoint: 'string', witnesses: 'object' },
  });
  const { format, device, log, checkpoint: text, witnesses: list } = value as ProofHead;
  if (format !== PROOF_FORMAT) throw new Refused('whole', `it is not of the format ${PROOF_FORMAT}`);
  if (!/^[0-9a-f]{64}$/.test(device)) throw new Refused('whole', 'the device is not a public key in lowercase hex');
  if (!Array.isArray(list)) throw new Refused('whole', 'the witnesses are not a list');
  const key = parseKey(checks.sha256, log);
  if (key?.type !== SignatureType.ED25519) throw new Refused('checkpoint', "the log's key is not a key");
  const { note, checkpoint } = readCheckpoint(checks, text, key, 'checkpoint');
  const witnesses = list.map((witness) => readWitness(checks, witness, key, checkpoint));
  // A key under two names is one witness, and a log can't be its own witness.
  if (hasTwice([key, ...witnesses.map((each) => each.key)].map(({ publicKey }) => publicKey))) {
    throw new Refused('witnessed', 'a witness is there twice, or is the log itself');
  }
  return { device, log: key, checkpoint, signatures: note.signatures, witnesses };
}

/** Returns the note and the tree of a checkpoint that the log signed. */
function readCheckpoint(
  checks: ProofChecks,
  text: string,
  log: NoteKey,
  claim: ClaimName,
): { readonly note: Note; readonly checkpoint: Checkpoint } {
  const note = parseNote(text);
  const checkpoint = note === null ? null : parseCheckpoint(note.text);
  if (note === null || checkpoint === null) throw new Refused(claim, 'a checkpoint is not a signed checkpoint');
  if (checkpoint.origin !== log.name) throw new Refused(claim, 'a checkpoint is of another log');
  const { state } = signatureOf(checks, note, log);
  if (state !== 'good') throw new Refused(claim, `the signature of the log is ${state}`);
  if (checkpoint.size === 0 && !isSame(checkpoint.root, checks.sha256(new Uint8Array(0)))) {
    throw new Refused(claim, 'the root is not that of a tree without entries');
  }
  return { note, checkpoint };
}

function readWitness(checks: ProofChecks, value: unknown, log: NoteKey, newer: Checkpoint): CheckedWitness {
  if (typeof value !== 'object' || value === null) throw new Refused('whole', 'a witness is not an object');
  requireMembers(value, { key: 'string', checkpoint: 'string', consistency: 'object' });
  const { key: keyText, checkpoint: text, consistency } = value as ProofWitness;
  const key = parseKey(checks.sha256, keyText);
  if (key?.type !== SignatureType.COSIGNATURE) throw new Refused('witnessed', 'the key of a witness is not one');
  const { note, checkpoint } = readCheckpoint(checks, text, log, 'witnessed');
  const signed = signatureOf(checks, note, key);
  if (signed.state !== 'good' || signed.at === null) {
    throw new Refused('witnessed', `the signature of a witness is ${signed.state}`);
  }
  const hashes = hashesOf(consistency);
  if (hashes === null || !isConsistent(checks.sha256, checkpoint, newer, hashes)) {
    throw new Refused('witnessed', 'the tree does not continue the one that a witness saw');
  }
  return { key, at: signed.at, size: checkpoint.size };
}
