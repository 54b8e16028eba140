import { bytesToBase64 } from '../crypto/base64.ts';
import { type Checkpoint, type Note, parseCheckpoint, parseNote, parseSize, strictBase64 } from './note.ts';

/** The request to cosign a checkpoint: the body of add-checkpoint of c2sp.org/tlog-witness. */
export interface WitnessRequest {
  /** The size of the last tree that the witness cosigned, as far as the log knows; 0 if there is none. */
  readonly old: number;
  /** Proves that the tree of the checkpoint continues that tree. */
  readonly proof: readonly Uint8Array[];
  /** The signed checkpoint as text. */
  readonly note: string;
}

/** More hashes than any proof has. */
const MAX_PROOF = 63;

/** Returns a request as text. */
export function formatRequest({ old, proof, note }: WitnessRequest): string {
  return `old ${old}\n${proof.map((hash) => `${bytesToBase64(hash)}\n`).join('')}\n${note}`;
}

/** Returns the request of a text, with the checkpoint of its note; null if it is not one. Does not check signatures. */
export function parseRequest(
  text: string,
): (WitnessRequest & { readonly parsed: Note; readonly said: Checkpoint }) | null {
  const end = text.indexOf('\n\n');
  if (end < 0) return null;
  const [first, ...lines] = text.slice(0, end).split('\n');
  const old = first?.startsWith('old ') === true ? parseSize(first.slice(4)) : null;
  const proof = lines.map(strictBase64);
  const note = text.slice(end + 2);
  const parsed = parseNote(note);
  const said = parsed === null ? null : parseCheckpoint(parsed.text);
  if (old === null || said === null || proof.length > MAX_PROOF || proof.some((hash) => hash?.length !== 32))
    return null;
  return { old, proof: proof as Uint8Array[], note, parsed: parsed!, said };
}
