import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseCheckpoint, parseNote } from '../../shared/proof/note.ts';
import type { StoreName } from '../../shared/protocol/codes.ts';
import { isRegularFile } from '../state-files/regular-file.ts';
import type { StoredCheckpoint } from '../store/store-log.ts';

/**
 * The size of the end of a file in which a line is searched that was written, but not recorded as sent because of a
 * crash.
 */
const TAIL_BYTES = 16_384;

/** Sends one line of JSON by POST, with a message's id. Rejects with an error that contains no secret. */
export type PostJson = (url: string, id: string, json: string, signal: AbortSignal) => Promise<void>;

/** A file or webhook that gets each checkpoint. */
export interface Outlet {
  readonly kind: 'file' | 'webhook';
  /** Identifies the place in the state file without revealing its address, which may be secret. */
  readonly id: string;
  /** A path, or a server without the part of its address that may be secret. Shown to the owner. */
  readonly place: string;
  /** Resolves when the checkpoint has arrived. Rejects with an error whose message contains no secret. */
  readonly send: (message: Message, signal: AbortSignal) => Promise<void>;
}

/** The message of a checkpoint. */
export interface Message {
  readonly id: string;
  readonly json: string;
}

/** Returns the outlets of the settings. */
export function outletsOf(
  {
    checkpointFile,
    checkpointWebhook,
  }: { readonly checkpointFile: string | null; readonly checkpointWebhook: string | null },
  post: PostJson,
): Outlet[] {
  const outlets: Outlet[] = [];
  if (checkpointFile !== null) {
    const path = resolve(checkpointFile);
    const send = (message: Message) => appendLine(path, message.json);
    outlets.push({ kind: 'file', id: idOf(`file ${path}`), place: path, send });
  }
  if (checkpointWebhook !== null) {
    const send = ({ id, json }: Message, signal: AbortSignal) => post(checkpointWebhook, id, json, signal);
    const place = new URL(checkpointWebhook).origin;
    outlets.push({ kind: 'webhook', id: idOf(`webhook ${checkpointWebhook}`), place, send });
  }
  return outlets;
}

/** Returns the message of a checkpoint; docs/proof.md describes its members. */
export function messageOf(store: StoreName, log: string, { size, at, note }: StoredCheckpoint): Message {
  const sha256 = createHash('sha256').update(note).digest('hex');
  const root = Buffer.from(parseCheckpoint(parseNote(note)!.text)!.root).toString('hex');
  const data = { store, log, size, root, sha256, checkpoint: note };
  return {
    id: `checkpoint-${sha256}`,
    json: JSON.stringify({ type: 'checkpoint', timestamp: new Date(at).toISOString(), data }),
  };
}

const idOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Appends a line to a file and syncs it, unless the file already contains it. If a crash left an incomplete line, that
 * line is ended first.
 */
async function appendLine(path: string, line: string): Promise<void> {
  isRegularFile(path);
  const file = await open(path, 'a+', 0o600);
  try {
    const tail = await tailOf(file);
    if (tail.split('\n').includes(line) && tail.endsWith('\n')) return;
    await file.appendFile(`${tail === '' || tail.endsWith('\n') ? '' : '\n'}${line}\n`);
    await file.datasync();
  } finally {
    await file.close();
  }
}

async function tailOf(file: FileHandle): Promise<string> {
  const { size } = await file.stat();
  const length = Math.min(size, TAIL_BYTES);
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
  return buffer.toString();
}
