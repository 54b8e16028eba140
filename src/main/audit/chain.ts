import { createHash } from 'node:crypto';
import { type AuditEntry, auditEntry } from '../../shared/owner-api/audit.ts';

// The audit log as text: one line per entry, with the hash of the previous line and its own hash. Lines are latin1
// strings, which preserve every byte of a damaged file.

/** The previous hash of a log's first entry. */
export const NO_HASH = '0'.repeat(64);

/** A position in the chain. */
export interface Link {
  readonly n: number;
  /** SHA-256 in hex. */
  readonly hash: string;
}
export const START: Link = { n: 0, hash: NO_HASH };

/** A parsed line of the log. It is unchanged if its hash and its place in the chain are right. */
export interface Line extends Link {
  readonly prev: string;
  readonly entry: AuditEntry;
}

/** A place where the log differs from what was written. */
export interface Break {
  /** The name of the file, and the number of the line in it, from 1. */
  readonly file: string;
  readonly line: number;
  /**
   * `unreadable`: not an entry; `edited`: its hash is wrong; `order`: it does not follow the previous line; `start`:
   * earlier lines are missing; `end`: later lines are missing; `head`: the note of the newest entry is missing.
   */
  readonly reason: 'unreadable' | 'edited' | 'order' | 'start' | 'end' | 'head';
}

/** The note of the newest entry, and of the first entries of the files. */
export interface Head extends Link {
  /** The number of the first entry of the older file, or of the only one. */
  readonly oldest: number;
  readonly current: number;
}

/** A file of the log. */
export interface LogText {
  readonly name: string;
  /** In latin1. */
  readonly text: string;
}

/** The contents of a log, and its breaks. */
export interface Checked {
  readonly lines: readonly Line[];
  readonly breaks: readonly Break[];
  /** The number of half-written lines that the node found at a start and recorded. */
  readonly torn: number;
}

const LINE = /^(\{.*),"hash":"([0-9a-f]{64})"\}$/s;

/** Returns the line of an entry that follows `before`. */
export function lineAfter(before: Link, entry: Omit<AuditEntry, 'n'>): { readonly text: string; readonly link: Link } {
  const n = before.n + 1;
  const body = JSON.stringify({ n, ...entry, prev: before.hash });
  const open = Buffer.from(body.slice(0, -1), 'utf8').toString('latin1');
  const hash = hashOf(open);
  return { text: `${open},"hash":"${hash}"}`, link: { n, hash } };
}

/** Reads a line; null if it is not an entry. `isEdited`: its hash is wrong. */
export function readLine(text: string): { readonly line: Line; readonly isEdited: boolean } | null {
  const match = LINE.exec(text);
  if (match === null) return null;
  try {
    const open = Buffer.from(match[1]!, 'latin1').toString('utf8');
    const { prev, ...rest } = JSON.parse(`${open}}`) as { prev: unknown };
    const entry = auditEntry.safeParse(rest);
    if (!entry.success || typeof prev !== 'string') return null;
    const line = { n: entry.data.n, hash: match[2]!, prev, entry: entry.data };
    return { line, isEdited: hashOf(match[1]!) !== match[2] };
  } catch {
    return null;
  }
}

/** Returns the SHA-256 in hex of a latin1 text. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text, 'latin1').digest('hex');
}

/** Returns the lines of a text, without the final line break. */
export function linesOf(text: string): string[] {
  if (text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}

/** Checks the files of a log, older file first. `head` is null if it is missing. */
export function checkChain(files: readonly LogText[], head: Head | null): Checked {
  const check = new ChainCheck(files, head);
  while (check.step(Number.POSITIVE_INFINITY));
  return check.result();
}

/** Checks a log in steps, since a full log takes a while. */
export class ChainCheck {
  readonly #files: readonly LogText[];
  readonly #head: Head | null;
  readonly #places: readonly { readonly file: string; readonly line: number; readonly text: string }[];
  readonly #lines: Line[] = [];
  readonly #breaks: Break[] = [];
  #torn = 0;
  #next = 0;
  /** Text that is not an entry; the next entry shows whether a crash left it. */
  #unread: { readonly file: string; readonly line: number; readonly text: string } | null = null;

  constructor(files: readonly LogText[], head: Head | null) {
    this.#files = files;
    this.#head = head;
    this.#places = files.flatMap(({ name, text }) =>
      linesOf(text).map((each, index) => ({ file: name, line: index + 1, text: each })),
    );
  }

  /** Checks `count` more lines; returns whether there are further ones. */
  step(count: number): boolean {
    const end = Math.min(this.#places.length, this.#next + count);
    for (; this.#next < end; this.#next += 1) this.#look(this.#places[this.#next]!);
    return this.#next < this.#places.length;
  }

  /** Returns the result. Call it once all lines were checked. */
  result(): Checked {
    const [files, head, lines, breaks] = [this.#files, this.#head, this.#lines, [...this.#breaks]];
    const last = this.#places.at(-1);
    const end = { file: last?.file ?? files.at(-1)?.name ?? '', line: last?.line ?? 0 };
    const isEndWhole = head === null || head.n === 0 || lines.some(({ n, hash }) => n === head.n && hash === head.hash);
    let torn = this.#torn;
    if (this.#unread !== null) {
      // A crash leaves half a line only after all noted entries.
      if (isEndWhole && head !== null && !files.at(-1)!.text.endsWith('\n')) torn += 1;
      else breaks.push({ file: this.#unread.file, line: this.#unread.line, reason: 'unreadable' });
    }
    if (!isEndWhole) breaks.push({ ...end, reason: 'end' });
    if (head === null && lines.length > 0) breaks.push({ ...end, reason: 'head' });
    const start = startBreak(files, lines[0], head);
    return { lines, breaks: start === null ? breaks : [start, ...breaks], torn };
  }

  #look({ file, line: number, text }: { readonly file: string; readonly line: number; readonly text: string }): void {
    const read = readLine(text);
    if (read === null) {
      const { file: from, line: first, text: earlier } = this.#unread ?? {};
      this.#unread =
        earlier === undefined
          ? { file, line: number, text }
          : { file: from!, line: first!, text: `${earlier}\n${text}` };
      return;
    }
    const { line, isEdited } = read;
    this.#settleUnread(line);
    const before = this.#lines.at(-1);
    if (isEdited) this.#breaks.push({ file, line: number, reason: 'edited' });
    else if (before !== undefined && (line.prev !== before.hash || line.n !== before.n + 1)) {
      this.#breaks.push({ file, line: number, reason: 'order' });
    }
    this.#lines.push(line);
  }

  #settleUnread({ entry }: Line): void {
    const unread = this.#unread;
    this.#unread = null;
    if (unread === null) return;
    if (entry.kind === 'log_torn' && entry.details.sha256 === hashOf(unread.text)) this.#torn += 1;
    else this.#breaks.push({ file: unread.file, line: unread.line, reason: 'unreadable' });
  }
}

/** Returns the break if lines before the first one are missing, or null. */
function startBreak(files: readonly LogText[], first: Line | undefined, head: Head | null): Break | null {
  const [file] = files;
  if (first === undefined || file === undefined) return null;
  const place = { file: file.name, line: 1 };
  if (first.n === 1) return first.prev === NO_HASH ? null : { ...place, reason: 'start' };
  if (head === null || first.n === head.oldest) return null;
  // The node was interrupted between moving the full file and noting it: the older file begins with the noted current
  // entry.
  return files.length === 2 && first.n === head.current ? null : { ...place, reason: 'start' };
}
