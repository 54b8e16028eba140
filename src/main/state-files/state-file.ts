import { copyFileSync, existsSync, linkSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { SerialQueue } from '../../shared/serial-queue.ts';
import { writeAtomically, writeAtomicallySync } from '../common/atomic-write.ts';
import { copyDamaged, type Damage, type StateFolder, tellDamage } from './aside.ts';
import { readJson, readRegularFile } from './regular-file.ts';
import { type Salvaged, salvage } from './salvage.ts';

/** The contents of a state file. */
export interface StateFileKind<S extends z.ZodType> {
  /** The file's name in the data folder. */
  readonly name: string;
  /** The schema. It has the member `version`, a literal number, except in a file that people edit. */
  readonly schema: S;
  /**
   * The contents of an empty file. They replace damaged members; a member that is undefined is omitted. If a member
   * without a replacement is damaged, so is the whole file.
   */
  readonly empty: Partial<z.output<S>>;
  /**
   * The contents of `<name>.previous`: the content before the latest write, or the same content if deleted entries must
   * not come back.
   */
  readonly copy?: 'before' | 'same';
  /** Whether people edit the file, too: then each member has its own line. */
  readonly isEdited?: boolean;
}

/** Returns the name of a state file's copy. */
export const previousOf = (path: string): string => `${path}.previous`;

/**
 * A JSON file outside the stores. It is written as a whole or not at all, and only with contents that its schema can
 * read back. Damage loses only the damaged entries; the damaged file is kept next to it as `<name>.damaged-<time>`, and
 * `onDamage` is called. Create it with `openStateFile`.
 */
export class StateFile<S extends z.ZodType> {
  readonly path: string;
  readonly #kind: StateFileKind<S>;
  readonly #folder: StateFolder;
  readonly #onDamage: (damage: Damage) => void;
  readonly #writes = new SerialQueue();
  /**
   * A damaged file that could not be copied yet, for example on a full disk. It must be copied before the next write.
   */
  #uncopied: Uint8Array | null = null;
  #wasDamaged = false;

  constructor(kind: StateFileKind<S>, folder: StateFolder, onDamage: (damage: Damage) => void) {
    this.path = join(folder.path, kind.name);
    this.#kind = kind;
    this.#folder = folder;
    this.#onDamage = onDamage;
  }

  /** Whether the file was damaged when it was read: missing entries may still be restored by hand. */
  get wasDamaged(): boolean {
    return this.#wasDamaged;
  }

  /**
   * Returns the contents of the file without damaged entries; null if there is no file, or if neither it nor the
   * previous copy is readable. Throws StartError if it is not a regular file, or if this user may not read it.
   */
  read(): z.output<S> | null {
    const bytes = readRegularFile(this.path);
    if (bytes === null) return this.#readAbsent();
    const found = this.#parse(bytes, this.#beforeIt());
    if (found !== null && found.lost.length === 0 && found.restored.length === 0) {
      this.#noteRepairs(found, 'was read with');
      return found.value;
    }
    this.#wasDamaged = true;
    const previous = found === null ? this.#readPrevious() : null;
    const kept = found ?? previous;
    const copy = this.#putAside(bytes);
    // Otherwise the next start would find the same damage again.
    if (copy !== null) this.#replace(kept);
    const whole: Damage['whole'] = found !== null ? null : previous === null ? 'nothing' : 'previous';
    const { lost = [], restored = [] } = kept ?? {};
    const damage = { file: this.#kind.name, at: this.#folder.now(), copy, whole, lost: [...lost] };
    tellDamage(this.#folder, { ...damage, restored: [...restored] }, this.#onDamage);
    return kept?.value ?? null;
  }

  /** Restores and reports a file that existed before and is missing. */
  #readAbsent(): z.output<S> | null {
    const previous = this.#readPrevious();
    if (previous === null) return null;
    this.#wasDamaged = true;
    this.#replace(previous);
    const damage = { file: this.#kind.name, at: this.#folder.now(), copy: null, whole: 'absent' as const };
    tellDamage(this.#folder, { ...damage, lost: [...previous.lost], restored: [] }, this.#onDamage);
    return previous.value;
  }

  /** Returns the contents without side effects: it sets nothing aside, reports nothing and never throws. */
  peek(): z.output<S> | null {
    try {
      const bytes = readRegularFile(this.path);
      const found = bytes === null ? null : this.#parse(bytes, this.#beforeIt());
      return (found ?? this.#readPrevious())?.value ?? null;
    } catch {
      return null;
    }
  }

  /** Replaces the content. `content` is called after the earlier writes. Rejects with errors of the file system. */
  write(content: () => z.output<S>): Promise<void> {
    return this.#writes.run(async () => {
      const text = this.#textOf(content());
      await writeAtomically(this.#beforeWrite(), text);
      if (this.#kind.copy !== 'same') return;
      const previous = previousOf(this.path);
      // No copy is better than one with deleted entries.
      await writeAtomically(previous, text).catch(() => rmSync(previous, { force: true }));
    });
  }

  /** Replaces the content synchronously, for a file that is only written this way. Throws errors of the file system. */
  writeSync(content: z.output<S>): void {
    const text = this.#textOf(content);
    writeAtomicallySync(this.#beforeWrite(), text);
    if (this.#kind.copy === 'same') writeAtomicallySync(previousOf(this.path), text);
  }

  /** Resolves once no write is in progress. */
  async settled(): Promise<void> {
    await this.#writes.settled();
  }

  /** Returns the document before the latest write from the disk; null if it is unreadable. */
  #beforeIt(): unknown {
    try {
      const bytes = readRegularFile(previousOf(this.path));
      return bytes === null ? null : readJson(bytes);
    } catch {
      return null;
    }
  }

  #parse(bytes: Uint8Array, before: unknown = null): Salvaged<z.output<S>> | null {
    const { schema, empty } = this.#kind;
    try {
      const document: unknown = readJson(bytes);
      return isNewer(document, empty) ? null : salvage(schema, document, empty, { before });
    } catch {
      return null;
    }
  }

  #readPrevious(): Salvaged<z.output<S>> | null {
    const bytes = readRegularFile(previousOf(this.path));
    return bytes === null ? null : this.#parse(bytes);
  }

  #textOf(content: z.output<S>): string {
    const { schema, empty, name } = this.#kind;
    const fitting = salvage(schema, content, empty, { isOurs: true });
    if (fitting === null) throw new Error(`${name}: the new contents can't be read back`);
    this.#noteRepairs(fitting, 'would be written with');
    return this.#written(fitting.value);
  }

  #written(value: z.output<S>): string {
    return `${JSON.stringify(value, null, this.#kind.isEdited ? 2 : undefined)}\n`;
  }

  /** Prepares a write; returns the path to write to, since a link stays a link. */
  #beforeWrite(): string {
    const { path } = this;
    if (this.#uncopied !== null) {
      copyDamaged(path, this.#uncopied, this.#folder.now());
      this.#uncopied = null;
    }
    const target = existsSync(path) ? realpathSync(path) : path;
    if (this.#kind.copy !== 'same') keepBeside(target, previousOf(path));
    return target;
  }

  #putAside(bytes: Uint8Array): string | null {
    const { log, now } = this.#folder;
    try {
      return copyDamaged(this.path, bytes, now());
    } catch (error) {
      this.#uncopied = bytes;
      log.error({ file: this.path, err: error }, 'a damaged file can’t be copied');
      return null;
    }
  }

  #replace(kept: Salvaged<z.output<S>> | null): void {
    try {
      // The damaged content never becomes the previous copy.
      if (kept === null) rmSync(this.path);
      else writeAtomicallySync(existsSync(this.path) ? realpathSync(this.path) : this.path, this.#written(kept.value));
    } catch (error) {
      this.#folder.log.error({ file: this.path, err: error }, 'a damaged file can’t be replaced');
    }
  }

  #noteRepairs({ lost, repaired }: Salvaged<unknown>, how: string): void {
    if (lost.length === 0 && repaired.length === 0) return;
    // The values are not logged: they may be secret.
    this.#folder.log.error(
      { file: this.path, lost, repaired },
      `defect: ${this.#kind.name} ${how} values out of range`,
    );
  }
}

/** Returns whether a newer version of this program wrote the file: it may use the same words with other meanings. */
function isNewer(document: unknown, empty: unknown): boolean {
  const version = (each: unknown) => (each as { version?: unknown } | null)?.version;
  const [found, known] = [version(document), version(empty)];
  return typeof found === 'number' && typeof known === 'number' && found > known;
}

/** Gives the content of a file a second name, which stays when the file is replaced. */
function keepBeside(path: string, previous: string): void {
  const unfinished = `${previous}.new`;
  try {
    rmSync(unfinished, { force: true });
    if (!existsSync(path)) return;
    try {
      linkSync(path, unfinished);
    } catch {
      // FAT and some network file systems have no hard links.
      copyFileSync(path, unfinished);
    }
    renameSync(unfinished, previous);
    // If both names are the same file, renaming does nothing.
    rmSync(unfinished, { force: true });
  } catch {
    // The disk may be full; the file itself is more important.
  }
}
