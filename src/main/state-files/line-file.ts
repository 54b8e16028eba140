import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { writeAtomically, writeAtomicallySync } from '../common/atomic-write.ts';
import { copyDamaged, type Damage, type StateFolder, tellDamage } from './aside.ts';
import { readRegularFile } from './regular-file.ts';
import { type LostEntry, salvage } from './salvage.ts';

/** What a file of lines holds. */
export interface LineFileKind<S extends z.ZodType> {
  /** Its name in the data folder. */
  readonly name: string;
  /** Of each line. */
  readonly schema: S;
}

/**
 * A file with a line of JSON for each entry, for what is only added to. Damage costs the lines that it is in, as in a
 * `StateFile`. To be made with `openLineFile`.
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

  /** Reads all entries. Throws StartError where it is no regular file, or this user may not read it. */
  read(): z.output<S>[] {
    const bytes = readRegularFile(this.path);
    if (bytes === null) return [];
    const lines = bytes.toString('utf8').split('\n');
    const entries: z.output<S>[] = [];
    const lost: LostEntry[] = [];
    let isTorn = false;
    for (const [index, line] of lines.entries()) {
      if (line.trim() === '') continue;
      const read = this.#parse(line);
      if (read !== null) entries.push(read.value);
      // Half of a line at the end is what a crash leaves while it is written: nobody was told that it is on disk.
      else if (index === lines.length - 1) isTorn = true;
      else lost.push({ part: 'lines', entry: String(index + 1) });
    }
    if (lost.length > 0) this.#setAside(bytes, entries, lost);
    else if (isTorn) this.#rewrite(entries);
    return entries;
  }

  /** Adds entries at the end. Rejects as the file system does. */
  async append(entries: readonly z.output<S>[]): Promise<void> {
    // Each a line of its own, also after half of one.
    const lines = this.#linesOf(entries).map((line) => `\n${line}`);
    await appendFile(this.path, lines.join(''), { mode: 0o600, flush: true });
  }

  /** Replaces all entries. Rejects as the file system does. */
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

  #setAside(bytes: Uint8Array, entries: readonly z.output<S>[], lost: LostEntry[]): void {
    const { log, now } = this.#folder;
    const damage = { file: this.#kind.name, at: now(), copy: null, whole: null, lost };
    try {
      const copy = copyDamaged(this.path, bytes, now());
      this.#rewrite(entries);
      tellDamage(this.#folder, { ...damage, copy }, this.#onDamage);
    } catch (error) {
      // It stays as it is: what is damaged is passed over again.
      log.error({ file: this.path, err: error }, 'a damaged file can’t be copied');
      tellDamage(this.#folder, damage, this.#onDamage);
    }
  }

  #rewrite(entries: readonly z.output<S>[]): void {
    try {
      writeAtomicallySync(this.path, this.#linesOf(entries).join('\n'));
    } catch (error) {
      this.#folder.log.error({ file: this.path, err: error }, 'a damaged file can’t be replaced');
    }
  }
}
