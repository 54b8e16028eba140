import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { LossyFile } from './log-output.ts';

const NAME = 'wellhouse.log';
const MAX_BYTES = 1024 ** 2;
/** The one that is written and those before it. */
const FILES = 3;

/** A destination for pino: lines go to `wellhouse.log`; a full one becomes `wellhouse.log.1`, and so on; the oldest goes. */
export class RotatingLog {
  readonly #path: string;
  readonly #maxBytes: number;
  #fd: number;
  #file: LossyFile;
  #size: number;

  /** Throws the file system's error where the folder or the file can't be made. */
  constructor(dir: string, maxBytes = MAX_BYTES) {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    this.#path = join(dir, NAME);
    this.#maxBytes = maxBytes;
    this.#fd = openSync(this.#path, 'a', 0o600);
    this.#file = new LossyFile(this.#fd);
    this.#size = fstatSync(this.#fd).size;
  }

  /** Written at once: the lines that matter most are the last before a crash. A full disk loses lines, never the app. */
  write(line: string): void {
    try {
      if (this.#size > 0 && this.#size + line.length > this.#maxBytes) this.#rotate();
      this.#size += this.#file.write(line);
    } catch {
      // There is nowhere left to tell.
    }
  }

  /** The old file is closed last: where a step fails, its number must not come to stand for another file, a store's. */
  #rotate(): void {
    const next = `${this.#path}.next`;
    const fd = openSync(next, 'w', 0o600);
    try {
      for (let index = FILES - 1; index > 0; index -= 1) {
        const from = index === 1 ? this.#path : `${this.#path}.${index - 1}`;
        if (existsSync(from)) renameSync(from, `${this.#path}.${index}`);
      }
      renameSync(next, this.#path);
    } catch (error) {
      closeSync(fd);
      throw error;
    }
    const before = this.#fd;
    this.#fd = fd;
    this.#file = new LossyFile(fd);
    this.#size = 0;
    closeSync(before);
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
