import { fstatSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** The priorities of syslog(3) by pino's levels. */
const PRIORITIES: Readonly<Record<number, number>> = { 10: 7, 20: 7, 30: 6, 40: 4, 50: 3, 60: 2 };
const INFO = 6;
/** The priority of an error that ends a start. */
export const ERROR_PRIORITY = 3;
const MAX_VALUE_CHARACTERS = 2000;
/** journald ends a line after 48 KiB and reads the rest as another line, with its own priority. */
const MAX_LINE_CHARACTERS = 8000;
/** Line breaks and other control characters of C0, DEL, C1 and Unicode. */
const CONTROLS = /[\p{Cc}\u2028\u2029]/gu;
/** Values that need no quotation marks. */
const BARE = /^[^\s"=\\]+$/;

/** Returns whether a file descriptor of this process is systemd's journal. */
export function isJournal(fd: number, env: Readonly<Record<string, string | undefined>> = process.env): boolean {
  if (!env.JOURNAL_STREAM) return false;
  try {
    const { dev, ino } = fstatSync(fd, { bigint: true });
    return env.JOURNAL_STREAM === `${dev}:${ino}`;
  } catch {
    return false;
  }
}

/** Converts pino's JSON lines to the form of the journal: a priority, the message, `key=value`. */
export function journalLines(journal: DestinationStream): DestinationStream {
  return { write: (line) => journal.write(journalLine(line)) };
}

/** Converts a JSON line to one line of text: no value can begin another line. */
export function journalLine(json: string): string {
  let record: Record<string, unknown>;
  try {
    record = JSON.parse(json) as Record<string, unknown>;
  } catch {
    return prioritized(INFO, json.trimEnd());
  }
  const { level, time: _, msg, ...rest } = record;
  const words = typeof msg === 'string' ? [msg] : [];
  for (const [key, value] of Object.entries(rest)) addTo(words, key, value);
  return prioritized(PRIORITIES[level as number] ?? INFO, words.join(' '));
}

/** Returns a line for journald with a priority. */
export function prioritized(priority: number, text: string): string {
  return `<${priority}>${cut(text, MAX_LINE_CHARACTERS).replace(CONTROLS, escaped)}\n`;
}

function addTo(words: string[], key: string, value: unknown): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    for (const [inner, part] of Object.entries(value)) addTo(words, `${key}.${inner}`, part);
    return;
  }
  const text = cut(typeof value === 'string' ? value : JSON.stringify(value), MAX_VALUE_CHARACTERS);
  words.push(`${key}=${BARE.test(text) ? text : JSON.stringify(text)}`);
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}

function escaped(control: string): string {
  return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
