import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const NAME = 'wellhouse.log';
const MAX_BYTES = 1024 ** 2;
/** The one that is written and those before it. */
const FILES = 3;

/** A destination for pino: lines go to `wellhouse.log`; a full one becomes `wellhouse.log.1`, and so on; the oldest goes. */
export class RotatingLog {
  readonly #path: string;
  readonly #maxBytes: number;
  #file: number;
  #size: number;

  /** Throws the file system's error where the folder or the file can't be made. */
  constructor(dir: string, maxBytes = MAX_BYTES) {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    this.#path = join(dir, NAME);
    this.#maxBytes = maxBytes;
    this.#file = openSync(this.#path, 'a', 0o600);
    this.#size = fstatSync(this.#file).size;
  }

  /** Written at once: the lines that matter most are the last before a crash. A full disk loses lines, never the app. */
  write(line: string): void {
    try {
      if (this.#size > 0 && this.#size + line.length > this.#maxBytes) this.#rotate();
      this.#size += writeSync(this.#file, line);
    } catch {
      // There is nowhere left to tell.
    }
  }

  #rotate(): void {
    closeSync(this.#file);
    for (let index = FILES - 1; index > 0; index -= 1) {
      const from = index === 1 ? this.#path : `${this.#path}.${index - 1}`;
      if (existsSync(from)) renameSync(from, `${this.#path}.${index}`);
    }
    this.#file = openSync(this.#path, 'a', 0o600);
    this.#size = fstatSync(this.#file).size;
  }
}

/** The newest whole lines of the log in a folder, oldest first, at most `maxBytes` of them; empty where there is none. */
export function recentLog(dir: string, maxBytes: number): string {
  let text = '';
  for (let index = 0; index < FILES && text.length < maxBytes; index += 1) {
    const path = join(dir, index === 0 ? NAME : `${NAME}.${index}`);
    if (existsSync(path)) text = readFileSync(path, 'utf8') + text;
  }
  if (text.length <= maxBytes) return text;
  const cut = text.slice(-maxBytes);
  return cut.slice(cut.indexOf('\n') + 1);
}
