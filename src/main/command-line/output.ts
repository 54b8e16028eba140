import type { CareProgress } from '../../shared/care/progress.ts';

/** The value of a table's cell; null is shown as a dash. */
export type Cell = string | number | null;

const BAR_WIDTH = 24;
const DRAW_EVERY_MS = 100;

// Control characters, and format characters such as those that change the direction of text.
const UNPRINTABLE = /(?!\n)[\p{Cc}\p{Cf}]/gu;

/** Replaces characters that a terminal would interpret by \\u{…}. Line breaks stay. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

/** Does the same for JSON text; its value stays the same. */
export function escapedJson(json: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replace(UNPRINTABLE, (character) => character.split('').map(escaped).join(''));
}

/** The output of commands: tables for a person at a terminal, JSON for programs. */
export class Output {
  readonly isJson: boolean;
  readonly #drawsProgress: boolean;
  readonly #isJsonAsked: boolean;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #isDrawn = false;

  /** `isJson` null: JSON unless the output is a terminal. */
  constructor(isJson: boolean | null) {
    this.isJson = isJson ?? !process.stdout.isTTY;
    this.#isJsonAsked = isJson === true;
    this.#drawsProgress = process.stderr.isTTY === true;
  }

  /** Writes the answer of a command: the value for programs, the lines for people. */
  answer(value: unknown, lines: () => readonly string[]): void {
    this.endProgress();
    process.stdout.write(
      this.isJson
        ? `${escapedJson(JSON.stringify(value, null, 2))}\n`
        : lines()
            .map((line) => `${printable(line)}\n`)
            .join(''),
    );
  }

  /** Writes one of many items: a line of JSON or of text. */
  line(value: unknown, text: string): void {
    process.stdout.write(`${this.isJson ? escapedJson(JSON.stringify(value)) : printable(text)}\n`);
  }

  /** Writes a note to the user; a line of JSON if JSON was requested. */
  note(text: string): void {
    this.endProgress();
    const line = this.#isJsonAsked ? escapedJson(JSON.stringify({ note: text })) : printable(text);
    process.stderr.write(`${line}\n`);
  }

  progress({ phase, doneBytes, totalBytes }: CareProgress): void {
    this.bar(phase, doneBytes, totalBytes);
  }

  /** Draws the progress, in any unit; `total` 0 means unknown. */
  bar(what: string, done: number, total: number): void {
    if (!this.#drawsProgress || performance.now() - this.#drawnAt < DRAW_EVERY_MS) return;
    this.#drawnAt = performance.now();
    this.#isDrawn = true;
    const part = total === 0 ? 0 : Math.min(1, done / total);
    const bar = '█'.repeat(Math.round(part * BAR_WIDTH)).padEnd(BAR_WIDTH, '░');
    process.stderr.write(`\r\u001b[K${what.padEnd(9)} ${bar} ${Math.round(part * 100)} %`);
  }

  endProgress(): void {
    if (this.#isDrawn) process.stderr.write('\r\u001b[K');
    this.#isDrawn = false;
  }
}

/** Returns a table as lines. Columns are as wide as needed; numbers are aligned to the right. */
export function table(heads: readonly string[], rows: readonly (readonly Cell[])[]): string[] {
  const cells = rows.map((row) => row.map((cell) => (cell === null ? '–' : String(cell))));
  const widths = heads.map((head, column) => Math.max(head.length, ...cells.map((row) => row[column]!.length)));
  const isNumber = heads.map((_, column) =>
    rows.every((row) => row[column] === null || typeof row[column] === 'number'),
  );
  const pad = (text: string, column: number) =>
    isNumber[column] ? text.padStart(widths[column]!) : text.padEnd(widths[column]!);
  return [heads, ...cells].map((row) => row.map(pad).join('  ').trimEnd());
}

/** Returns names and values, one pair a line. */
export function pairs(entries: readonly (readonly [string, Cell])[]): string[] {
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${value ?? '–'}`);
}

/** Formats a number of bytes for people. */
export function size(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${step === 0 ? bytes : (bytes / 1000 ** step).toFixed(1)} ${units[step]}`;
}

/** Formats a time for people, in local time; null as a dash. */
export function when(at: number | string | null): string {
  if (at === null) return '–';
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
