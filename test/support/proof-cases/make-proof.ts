import { hash } from 'node:crypto';
import { publicKeyOf, sign } from '../../../src/shared/crypto/ed25519.ts';
import {
  consistencyProof,
  type HashedTree,
  inclusionPath,
  leafHash,
  nodeHash,
  rootOf,
  type Sha256,
} from '../../../src/shared/proof/merkle.ts';
import {
  checkpointText,
  cosign,
  formatKey,
  type NoteKey,
  SignatureType,
  signatureLine,
  signNote,
} from '../../../src/shared/proof/note.ts';
import type { ClaimName } from '../../../src/shared/proof/proof-format.ts';

/**
 * Proofs with exactly one fault, and unusual proofs that are valid. Every hash, path and signature around the fault is
 * made for it with keys of fixed seeds, so each case reaches the rule that it is about.
 */

/**
 * A case: its name, the claim that a verifier refuses (null: the proof is valid), the file as text, and the counts of a
 * valid one.
 */
export type ProofCase = readonly [
  name: string,
  claim: ClaimName | null,
  proof: string,
  counts?: readonly [readings: number, signed: number, allSigned: number],
];

export const sha256: Sha256 = (data) => new Uint8Array(hash('sha256', data, 'buffer'));
export const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
export const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
export const utf8 = (text: string) => new Uint8Array(Buffer.from(text));

export interface Signer {
  readonly publicKey: Uint8Array;
  readonly sign: (message: Uint8Array) => Uint8Array;
}
function signer(byte: number): Signer {
  const seed = new Uint8Array(32).fill(byte);
  return { publicKey: publicKeyOf(seed), sign: (message) => sign(message, seed) };
}
export const [DEVICE, OTHER, LOG, WITNESS, OWNER] = [signer(1), signer(2), signer(3), signer(4), signer(5)];
export const ID = hex(DEVICE.publicKey);
export const AT = 1_760_000_000_000;
/** pH 6.2, the last value that still rounds to it with two decimals, and a value beyond that. */
export const PH = { right: double(6.2), half: double(6.205), beyond: double(6.2051) };

export function double(value: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes.toString('hex');
}

export interface ReadingParts {
  readonly device?: string;
  readonly seq?: string;
  readonly keyVersion?: string;
  /** The raw string; null if nothing is signed. */
  readonly raw?: string | null;
  readonly signature?: Uint8Array;
  /** The lines of fields. */
  readonly fields?: readonly string[];
}

/** Returns the text of a reading. Its device signed it unless another signature is given. */
export function reading({
  device = ID,
  seq = '1',
  keyVersion = '0',
  raw,
  signature,
  fields,
}: ReadingParts = {}): string {
  const timestamp = AT + Number(seq) * 60_000;
  const said = raw === undefined ? `${device}|${seq}|${timestamp}|${keyVersion}|ph=6.20` : raw;
  const signed =
    said === null ? '' : `signature ${hex(signature ?? DEVICE.sign(utf8(said)))}\nsigned ${hex(utf8(said))}\n`;
  const values = (fields ?? [`plain ph ${PH.right}`]).map((line) => `${line}\n`).join('');
  return `reading\ndevice ${device}\nseq ${seq}\ntimestamp ${timestamp}\nreceived ${timestamp + 250}\nclock 0\nkey-version ${keyVersion}\n${signed}${values}`;
}
export const rawOf = (rest: string, header = `${ID}|1|${AT + 60_000}|0`) => `${header}${rest}`;
export const correction = (clock: number) => `correction\nclock ${clock}\nnext ${clock + 1}\nby -5000\nat ${AT}\n`;
export const registration = (way: string, more: string) => `registration\ndevice ${ID}\nat ${AT}\nway ${way}\n${more}`;
export const RECEIVED = 'received {}\n';

/** Returns the tree of some leaves, or a larger one that starts with them: the hashes of distant parts are invented. */
function treeOf(leaves: ReadonlyMap<number, string>, bounds: readonly number[] = []): HashedTree {
  const inside = [...[...leaves.keys()].flatMap((index) => [index, index + 1]), ...bounds];
  const subtree = (level: number, position: number): Uint8Array => {
    const [from, to] = [position * 2 ** level, (position + 1) * 2 ** level];
    const text = leaves.get(from);
    if (level === 0 && text !== undefined) return leafHash(sha256, utf8(text));
    if (!inside.some((at) => at > from && at < to)) return sha256(utf8(`${level} ${position}`));
    return nodeHash(sha256, subtree(level - 1, 2 * position), subtree(level - 1, 2 * position + 1));
  };
  return { sha256, subtree };
}

export const LOG_NAME = 'example.org/log';
export const logKey = (over: Partial<NoteKey> = {}): NoteKey => ({
  ...{ name: LOG_NAME, type: SignatureType.ED25519, publicKey: LOG.publicKey },
  ...over,
});
export const witnessKey = (over: Partial<NoteKey> = {}): NoteKey => ({
  ...{ name: 'example.org/witness', type: SignatureType.COSIGNATURE, publicKey: WITNESS.publicKey },
  ...over,
});
const noteOf = (text: string, lines: readonly string[]) => `${text}\n${lines.map((line) => `${line}\n`).join('')}`;
export const signedBy = (text: string, key = logKey(), by = LOG) => signatureLine(signNote(sha256, text, key, by.sign));
export const cosignedBy = (text: string, key = witnessKey(), { at = AT / 1000, by = WITNESS } = {}) =>
  signatureLine(cosign(sha256, text, key, at, by.sign));

export interface ProofParts {
  readonly device?: string;
  /** The size of the tree. */
  readonly size?: number;
  /** The index of each entry; by default from 0 on. */
  readonly indexes?: readonly number[];
  /** Returns the lines of the checkpoint's signatures for its text. */
  readonly signatures?: (text: string) => readonly string[];
  readonly checkpoint?: (text: string) => string;
  readonly log?: string;
  readonly witnesses?: readonly WitnessParts[];
  readonly counts?: object;
  /** Returns lines of decrypted values to put after the last entry, for the hash of its leaf. */
  readonly opened?: (leaf: Uint8Array) => readonly object[];
  /** Changes the whole file. */
  readonly change?: (text: string) => string;
}
interface WitnessParts {
  readonly key?: NoteKey;
  readonly keyText?: string;
  readonly size: number;
  readonly root?: Uint8Array;
  readonly consistency?: readonly string[];
  readonly lines?: (text: string) => readonly string[];
}

/** Returns a proof of entries with all other parts. */
export function proofOf(entries: readonly string[], parts: ProofParts = {}): string {
  const { device = ID, indexes = entries.map((_, at) => at), witnesses = [], opened = () => [] } = parts;
  const size = parts.size ?? Math.max(0, ...indexes.map((index) => index + 1));
  const leaves = new Map(indexes.map((index, at) => [index, entries[at]!]));
  const tree = treeOf(leaves, [size, ...witnesses.map((witness) => witness.size)]);
  const textOf = (of: number, root = rootOf(tree, of)) => checkpointText({ origin: LOG_NAME, size: of, root });
  const text = (parts.checkpoint ?? ((same) => same))(textOf(size));
  const head = {
    ...{ format: 'wellhouse-proof/1', device, log: parts.log ?? formatKey(sha256, logKey()) },
    checkpoint: noteOf(text, (parts.signatures ?? ((of) => [signedBy(of)]))(text)),
    witnesses: witnesses.map(({ key = witnessKey(), keyText, size: seen, root, consistency, lines }) => {
      const older = textOf(seen, root);
      return {
        key: keyText ?? formatKey(sha256, key),
        checkpoint: noteOf(older, lines?.(older) ?? [signedBy(older), cosignedBy(older, key)]),
        consistency: consistency ?? consistencyProof(tree, seen, size).map(base64),
      };
    }),
  };
  const lines = entries.map((entry, at) => ({
    ...{ index: indexes[at]!, entry },
    path: inclusionPath(tree, indexes[at]!, size).map(base64),
  }));
  const statements = opened(leafHash(sha256, utf8(entries.at(-1) ?? '')));
  const countOf = (kind: string) => entries.filter((entry) => entry.startsWith(`${kind}\n`)).length;
  const end = {
    ...{ end: true, readings: countOf('reading'), corrections: countOf('correction') },
    ...{ registrations: countOf('registration'), opened: statements.length, ...parts.counts },
  };
  const file = [head, ...lines, ...statements, end].map((line) => `${JSON.stringify(line)}\n`).join('');
  return (parts.change ?? ((same) => same))(file);
}

export const of = (entry: ReadingParts, parts: ProofParts = {}) => proofOf([reading(entry)], parts);

/** Returns a line with a value of the reading's encrypted pH, signed by its owner. */
export function statement(
  leaf: Uint8Array,
  { by = OWNER, owner = hex(by.publicKey), value = 'value ph 40c66666\n' } = {},
) {
  const opened = `wellhouse-opened/1\nleaf ${hex(leaf)}\n${value}`;
  return { opened, owner, signature: hex(by.sign(utf8(opened))) };
}

export const SEALED = (bytes: number) => `sealed ph ${'5a'.repeat(bytes)}`;
export const FAR = 2 ** 52 + 3;
export const UNKNOWN = signatureLine({ name: 'example.org/other', bytes: new Uint8Array(9) });
/** Returns a signature line with the log's name but another key's signature. */
export const badLine = (text: string) => signatureLine(signNote(sha256, text, logKey(), OTHER.sign));
