import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { LossyFile } from './log-output.ts';

const NAME = 'wellhouse.log';
const MAX_BYTES = 1024 ** 2;
/** The current file and the previous ones. */
const FILES = 3;

/**
 * A destination for pino. Lines go to `wellhouse.log`; a full file becomes `wellhouse.log.1`, and so on; the oldest is
 * deleted.
 */
export class RotatingLog {
  readonly #path: string;
  readonly #maxBytes: number;
  #fd: number;
  #file: LossyFile;
  #size: number;

  /** Throws the file system's error if the folder or the file can't be created. */
  constructor(dir: string, maxBytes = MAX_BYTES) {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    this.#path = join(dir, NAME);
    this.#maxBytes = maxBytes;
    this.#fd = openSync(this.#path, 'a', 0o600);
    this.#file = new LossyFile(this.#fd);
    this.#size = fstatSync(this.#fd).size;
  }

  /**
   * Writes synchronously: the last lines before a crash are the most important. A full disk loses lines, but does not
   * end the app.
   */
  write(line: string): void {
    try {
      if (this.#size > 0 && this.#size + line.length > this.#maxBytes) this.#rotate();
      this.#size += this.#file.write(line);
    } catch {
      // The error can't be reported anywhere.
    }
  }

  /**
   * Closes the old file last: if a step fails, the descriptor in use must not become that of another file, such as a
   * store.
   */
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

/**
 * Returns the newest whole lines of the log in a folder, oldest first, with at most `maxBytes`; empty if there are
 * none.
 */
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
