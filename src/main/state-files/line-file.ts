import { closeSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { writeAtomically, writeAtomicallySync } from '../common/atomic-write.ts';
import { copyDamaged, type Damage, freeNameBeside, type StateFolder, tellDamage } from './aside.ts';
import { isRegularFile, readRegularFile } from './regular-file.ts';
import { type LostEntry, salvage } from './salvage.ts';

/** The contents of a file of lines. */
export interface LineFileKind<S extends z.ZodType> {
  /** The file's name in the data folder. */
  readonly name: string;
  /** The schema of each line. */
  readonly schema: S;
  /** The number of newest entries that are needed. */
  readonly maxEntries: number;
}

/** Only the end of a longer file is read. */
const MAX_BYTES = 32 * 1024 ** 2;
/** A longer line is not ours. */
const MAX_LINE_BYTES = 64 * 1024;
const NEWLINE = 10;

/**
 * A file with a line of JSON for each entry, for data that is only appended. Damage loses only the damaged lines, as in
 * a `StateFile`. Create it with `openLineFile`.
 */
export class LineFile<S extends z.ZodType> {
  readonly path: string;
  readonly #kind: LineFileKind<S>;
  readonly #folder: StateFolder;
  readonly #onDamage: (damage: Damage) => void;

  constructor(kind: LineFileKind<S>, folder: StateFolder, onDamage: (damage: Damage) => void) {
    this.path = join(folder.path, kind.name);
    this.#kind = kind;
    this.#folder = folder;
    this.#onDamage = onDamage;
  }

  /**
   * Reads the newest entries, line by line, so that memory is needed only for them. Throws StartError if the file is
   * not a regular one, or if this user may not read it.
   */
  read(): z.output<S>[] {
    const { bytes, isCut } = this.#bytes();
    if (bytes === null) return [];
    const entries: z.output<S>[] = [];
    const lost: LostEntry[] = [];
    let isTorn = false;
    for (let start = 0, number = 1; start <= bytes.length; number += 1) {
      const found = bytes.indexOf(NEWLINE, start);
      const end = found < 0 ? bytes.length : found;
      const line = end - start > MAX_LINE_BYTES ? null : bytes.toString('utf8', start, end);
      start = end + 1;
      if (line?.trim() === '') continue;
      const read = line === null ? null : this.#parse(line);
      if (read !== null) entries.push(read.value);
      // A crash during a write leaves half a line at the end; it was never confirmed.
      else if (found < 0) isTorn = true;
      else lost.push({ part: 'lines', entry: String(number) });
    }
    const newest = entries.slice(-this.#kind.maxEntries);
    if (isCut) this.#setAside(null, newest, [{ part: 'lines', entry: null }]);
    else if (lost.length > 0) this.#setAside(bytes, newest, lost);
    else if (isTorn) this.#rewrite(newest);
    return newest;
  }

  /** Returns the file, or the last lines of a file that is too long: twice as many as the limit of entries. */
  #bytes(): { bytes: Buffer | null; isCut: boolean } {
    if (!isRegularFile(this.path)) return { bytes: null, isCut: false };
    const { size } = statSync(this.path);
    const whole = size <= MAX_BYTES ? readRegularFile(this.path) : this.#end(size);
    if (whole === null) return { bytes: null, isCut: false };
    let from = whole.length;
    for (let lines = 0; lines <= 2 * this.#kind.maxEntries && from > 0; lines += 1)
      from = whole.lastIndexOf(NEWLINE, from - 1);
    const isCut = from > 0 || size > MAX_BYTES;
    return { bytes: isCut ? whole.subarray(Math.max(from, whole.indexOf(NEWLINE)) + 1) : whole, isCut };
  }

  #end(size: number): Buffer {
    const end = Buffer.alloc(MAX_BYTES);
    const file = openSync(this.path, 'r');
    try {
      readSync(file, end, 0, MAX_BYTES, size - MAX_BYTES);
    } finally {
      closeSync(file);
    }
    return end;
  }

  /** Appends entries. Rejects with errors of the file system. */
  async append(entries: readonly z.output<S>[]): Promise<void> {
    // Each entry starts a new line, also after half a line.
    const lines = this.#linesOf(entries).map((line) => `\n${line}`);
    await appendFile(this.path, lines.join(''), { mode: 0o600, flush: true });
  }

  /** Replaces all entries. Rejects with errors of the file system. */
  async replace(entries: readonly z.output<S>[]): Promise<void> {
    await writeAtomically(this.path, this.#linesOf(entries).join('\n'));
  }

  #parse(line: string): { readonly value: z.output<S> } | null {
    try {
      return salvage(this.#kind.schema, JSON.parse(line), {});
    } catch {
      return null;
    }
  }

  #linesOf(entries: readonly z.output<S>[]): string[] {
    return entries.flatMap((entry) => {
      const fitting = salvage(this.#kind.schema, entry, {}, { isOurs: true });
      if (fitting === null || fitting.repaired.length > 0) {
        this.#folder.log.error(
          { file: this.path, repaired: fitting?.repaired },
          'defect: a line would not be read back',
        );
      }
      return fitting === null ? [] : [JSON.stringify(fitting.value)];
    });
  }

  /** Sets the damaged file aside. If `bytes` is null, the file is renamed, since it is too long to be copied. */
  #setAside(bytes: Uint8Array | null, entries: readonly z.output<S>[], lost: LostEntry[]): void {
    const { log, now } = this.#folder;
    const damage = { file: this.#kind.name, at: now(), copy: null, whole: null, lost };
    try {
      const copy = bytes === null ? this.#moveAside() : copyDamaged(this.path, bytes, now());
      this.#rewrite(entries);
      tellDamage(this.#folder, { ...damage, copy }, this.#onDamage);
    } catch (error) {
      // The file stays unchanged; the next read skips the damage again.
      log.error({ file: this.path, err: error }, 'a damaged file can’t be copied');
      tellDamage(this.#folder, damage, this.#onDamage);
    }
  }

  #moveAside(): string {
    const name = freeNameBeside(this.path, 'damaged', this.#folder.now());
    renameSync(this.path, name);
    return name;
  }

  #rewrite(entries: readonly z.output<S>[]): void {
    try {
      writeAtomicallySync(this.path, this.#linesOf(entries).join('\n'));
    } catch (error) {
      this.#folder.log.error({ file: this.path, err: error }, 'a damaged file can’t be replaced');
    }
  }
}
