import { existsSync, lchownSync, readdirSync, statSync } from 'node:fs';
import { type FileHandle, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { AuditActor, AuditDetails, AuditEntry } from '../../shared/owner-api/audit.ts';
import type { AuditKind } from '../../shared/owner-api/audit-kinds.ts';
import { SerialQueue } from '../../shared/serial-queue.ts';
import { syncFolder } from '../common/sync.ts';
import { tryAuditLock } from '../data-folder/node-lock.ts';
import { freeNameBeside } from '../state-files/aside.ts';
import { openStateFile } from '../state-files/damaged-files.ts';
import { isRegularFile } from '../state-files/regular-file.ts';
import type { StateFile, StateFileKind } from '../state-files/state-file.ts';
import { hashOf, type Link, lineAfter, linesOf, readLine, START } from './chain.ts';

/** The files in the data folder: the log, and the previous file, which is full. */
export const AUDIT_FILE = 'audit.ndjson';
export const OLDER_FILE = 'audit.ndjson.1';
const MAX_BYTES = 4 * 1024 ** 2;
/** A larger file is not ours: a foreign backup may have brought it. */
const TOO_LARGE_BYTES = 4 * MAX_BYTES;
/** The limit of texts in an entry, since they come from outside. */
const MAX_TEXT = 300;
const MAX_NAMES = 50;
/** The time to wait for another process that writes an entry. */
const LOCK_WITHIN_MS = 3000;
const LOOK_EVERY_MS = 20;

const head = z.object({
  version: z.literal(1),
  n: z.int().min(0),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  oldest: z.int().min(0),
  current: z.int().min(0),
  /** Whether the node has started and has not stopped. */
  isRunning: z.boolean(),
});
type HeadDocument = z.infer<typeof head>;

/** The file in the data folder that notes the newest entry of the audit log, so that a truncated log is detected. */
export const AUDIT_HEAD: StateFileKind<typeof head> = {
  name: 'audit-head.json',
  schema: head,
  empty: { version: 1, ...START, oldest: 1, current: 1, isRunning: false },
};

/** An action to be recorded. */
export interface Deed {
  readonly who: AuditActor;
  readonly from: string | null;
  readonly kind: AuditKind;
  readonly details?: AuditDetails;
}

export const BY_NODE: AuditActor = { by: 'node', name: null, id: null };
/** An action of a command on a folder. */
export const BY_COMMAND: AuditActor = { by: 'command', name: null, id: null };

/** The data folder of a log, and the tools for writing it. */
export interface AuditFolder {
  /** The data folder. */
  readonly path: string;
  readonly log: Logger;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly maxBytes?: number;
}

/**
 * The audit log of a data folder. Several processes may add to it: the node and commands. Each entry is written under a
 * lock, after the last entry in the file. Entries that can't be written are counted, and the next successful entry
 * reports them: no action fails because of its entry.
 */
export class AuditLog {
  readonly #folder: AuditFolder;
  readonly #head: StateFile<typeof head>;
  readonly #queue = new SerialQueue();
  #missed = 0;
  #missedSince = 0;

  constructor(folder: AuditFolder) {
    this.#folder = folder;
    this.#head = openStateFile(AUDIT_HEAD, folder);
  }

  /** Whether a node started on the folder and did not stop. */
  get wasCutOff(): boolean {
    return this.#head.peek()?.isRunning === true;
  }

  /** Adds an entry; resolves when it is on disk or counted as failed. Never rejects. */
  record(deed: Deed): Promise<void> {
    const at = Math.round(this.#folder.now());
    return this.#queue.run(async () => {
      try {
        await this.#append({ at, ...deed, details: bounded(deed.details ?? {}) });
        this.#missed = 0;
      } catch (error) {
        if (this.#missed === 0) {
          this.#missedSince = at;
          this.#folder.log.error({ err: error, kind: deed.kind }, 'the audit log can’t be written');
        }
        this.#missed += 1;
      }
    });
  }

  async settled(): Promise<void> {
    await this.#queue.settled();
  }

  async #append({ at, who, from, kind, details }: Omit<AuditEntry, 'n'>): Promise<void> {
    const unlock = await this.#lock();
    try {
      const path = join(this.#folder.path, AUDIT_FILE);
      const noted = this.#head.read();
      await this.#setTooLargeAside();
      const end = await endOf(this.#folder.path);
      const own = (own: AuditKind, more: AuditDetails) => ({ at, who: BY_NODE, from: null, kind: own, details: more });
      const entries = [{ at, who, from, kind: kind as AuditKind, details }];
      if (this.#missed > 0) entries.unshift(own('log_gap', { count: this.#missed, since: this.#missedSince }));
      if (end.torn !== null && isNoted(noted, end.last)) {
        entries.unshift(own('log_torn', { bytes: end.torn.length, sha256: hashOf(end.torn) }));
      }
      let last = end.last ?? START;
      if (!isNoted(noted, end.last)) {
        entries.unshift(own('log_broken', { expected: noted?.n ?? 0, found: last.n }));
        // The numbers continue after the missing entries, so that the gap stays visible.
        if (noted !== null) last = noted;
      }
      const first = last.n + 1;
      let text = end.isOpen ? '\n' : '';
      for (const entry of entries) {
        const { text: line, link } = lineAfter(last, entry);
        text += `${line}\n`;
        last = link;
      }
      const isFull = end.size > 0 && end.size + text.length > (this.#folder.maxBytes ?? MAX_BYTES);
      if (isFull) await rename(path, join(this.#folder.path, OLDER_FILE));
      await appendWhole(path, isFull ? text.replace(/^\n/, '') : text);
      const isNew = isFull || end.size === 0;
      if (isNew) syncFolder(this.#folder.path);
      const current = isNew ? first : (noted?.current ?? 1);
      const oldest = isFull ? (noted?.current ?? 1) : (noted?.oldest ?? first);
      await this.#note({ version: 1, ...last, oldest, current, isRunning: runningAfter(kind, noted) });
    } finally {
      unlock();
    }
  }

  async #setTooLargeAside(): Promise<void> {
    for (const name of [AUDIT_FILE, OLDER_FILE]) {
      const path = join(this.#folder.path, name);
      const size = isRegularFile(path) ? statSync(path).size : 0;
      if (size > TOO_LARGE_BYTES) await rename(path, freeNameBeside(path, 'damaged', this.#folder.now()));
    }
  }

  /** Notes the newest entry. The log stays valid even if this fails. */
  async #note(next: HeadDocument): Promise<void> {
    try {
      await this.#head.write(() => next);
    } catch (error) {
      this.#folder.log.warn({ err: error }, 'the newest entry of the audit log can’t be noted');
    }
  }

  async #lock(): Promise<() => void> {
    for (let waited = 0; ; waited += LOOK_EVERY_MS) {
      const unlock = tryAuditLock(this.#folder.path);
      if (unlock !== null) return unlock;
      if (waited >= LOCK_WITHIN_MS) throw new Error('another process writes it');
      await delay(LOOK_EVERY_MS);
    }
  }
}

/** Adds one entry for an action on a folder, also without a running node. Never rejects. */
export async function recordOnce(folder: AuditFolder, deed: Deed): Promise<void> {
  if (!existsSync(folder.path)) return;
  await new AuditLog(folder).record(deed);
  if (process.getuid?.() === 0) giveToOwner(folder.path);
}

/** Gives files that root wrote to the node's user. */
function giveToOwner(dataDir: string): void {
  try {
    const { uid, gid } = statSync(dataDir);
    for (const name of readdirSync(dataDir)) {
      if (/^audit(?:-head)?\./.test(name)) lchownSync(join(dataDir, name), uid, gid);
    }
  } catch {
    // The file system has no owners.
  }
}

/** The end of the log. */
interface End {
  /** The size of the current file, in bytes. */
  readonly size: number;
  readonly last: Link | null;
  /** The bytes after the last entry that are not an entry; null if there are none. */
  readonly torn: string | null;
  /** Whether the file does not end with a line break. */
  readonly isOpen: boolean;
}

async function endOf(dataDir: string): Promise<End> {
  const path = join(dataDir, AUDIT_FILE);
  const text = isRegularFile(path) ? await readFile(path, 'latin1') : '';
  const found = lastIn(text);
  const older = join(dataDir, OLDER_FILE);
  const last = found.last ?? (isRegularFile(older) ? lastIn(await readFile(older, 'latin1')).last : null);
  return { size: text.length, last, torn: found.torn, isOpen: text !== '' && !text.endsWith('\n') };
}

function lastIn(text: string): Pick<End, 'last' | 'torn'> {
  const lines = linesOf(text);
  const torn: string[] = [];
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const read = readLine(lines[index]!);
    if (read !== null && !read.isEdited) return { last: read.line, torn: torn.length === 0 ? null : torn.join('\n') };
    torn.unshift(lines[index]!);
  }
  return { last: null, torn: torn.length === 0 ? null : torn.join('\n') };
}

/** Returns whether the log has all noted entries. It may have more, since the note is written after the entry. */
function isNoted(noted: HeadDocument | null, last: Link | null): boolean {
  if (noted === null) return last === null;
  if (last === null) return noted.n === 0;
  return last.n > noted.n || (last.n === noted.n && last.hash === noted.hash);
}

/** Appends a text to a file, as a whole or not at all. Rejects with errors of the file system. */
async function appendWhole(path: string, text: string): Promise<void> {
  const before = existsSync(path) ? statSync(path).size : 0;
  const file = await open(path, 'a', 0o600);
  try {
    await file.appendFile(text, 'latin1');
    await file.sync();
  } catch (error) {
    await cutBack(file, before);
    throw error;
  } finally {
    await file.close();
  }
}

async function cutBack(file: FileHandle, size: number): Promise<void> {
  try {
    await file.truncate(size);
  } catch {
    // The next entry reports the incomplete line.
  }
}

function runningAfter(kind: string, noted: HeadDocument | null): boolean {
  if (kind === 'node_started' || kind === 'node_restarted') return true;
  // A backup of a running node has the note of a running node.
  if (kind === 'node_stopped' || kind === 'restored') return false;
  return noted?.isRunning ?? false;
}

function bounded(details: AuditDetails): AuditDetails {
  const cut = (text: string) => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => {
      if (typeof value === 'string') return [name, cut(value)];
      return [name, Array.isArray(value) ? value.slice(0, MAX_NAMES).map(cut) : value];
    }),
  );
}
