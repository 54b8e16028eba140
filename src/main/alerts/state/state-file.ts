import { existsSync, readFileSync, renameSync } from 'node:fs';
import type { Logger } from 'pino';
import { writeAtomically } from '../../common/atomic-write.ts';

/** How long after a write that failed it is tried again. */
const RETRY_MS = 30_000;

/** What the state file is made of. */
export interface StateFileParts {
  readonly path: string;
  readonly log: Logger;
  /** Resolves when it was tried to write what has to be on disk before the file, with whether it is. */
  readonly before: () => Promise<boolean>;
  /** What is to be on disk, asked when a write begins. */
  readonly snapshot: () => unknown;
}

/**
 * The file that alerts outlive the process in, a JSON document. One write is in flight; what changes meanwhile is in the
 * next. A disk that takes no writes stops nothing: what is in memory counts, and is written when that is possible.
 */
export class StateFile {
  readonly #parts: StateFileParts;
  #current: Promise<boolean> = Promise.resolve(true);
  #next: Promise<boolean> | null = null;
  #retry: NodeJS.Timeout | null = null;
  #isFailing = false;
  /** Counts changes; it was tried to write those up to `#tried`. */
  #changes = 0;
  #tried = 0;

  constructor(parts: StateFileParts) {
    this.#parts = parts;
  }

  /**
   * What the file holds, as `parse` reads it; null where there is none. A file that `parse` throws at, or that is no JSON,
   * is moved aside, with the time in its name.
   */
  read<T>(parse: (document: unknown) => T): T | null {
    const { path, log } = this.#parts;
    if (!existsSync(path)) return null;
    try {
      return parse(JSON.parse(readFileSync(path, 'utf8')));
    } catch (error) {
      const aside = `${path}.damaged-${new Date().toISOString().replace(/[:.]/g, '-')}`;
      try {
        renameSync(path, aside);
        log.error({ file: aside, reason: (error as Error).message }, 'the alerts file is damaged: moved aside');
      } catch (failure) {
        log.error({ file: path, err: failure }, 'the alerts file is damaged and can’t be moved aside');
      }
      return null;
    }
  }

  /** Something changed that nobody is to be told of before it is on disk. */
  change(): void {
    this.#changes += 1;
  }

  /** Resolves when all such changes so far are on disk, or the disk took them not. Never rejects. */
  async settled(): Promise<void> {
    if (this.#tried < this.#changes) await this.persist();
  }

  /** Resolves when what is so now is on disk, with true, or with false where it could not be written. Never rejects. */
  persist(): Promise<boolean> {
    this.#next ??= this.#current.then(() => {
      this.#next = null;
      this.#current = this.#write();
      return this.#current;
    });
    return this.#next;
  }

  /** Writes what is not written yet. */
  async close(): Promise<void> {
    await this.persist();
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = null;
  }

  async #write(): Promise<boolean> {
    const { path, log, before, snapshot } = this.#parts;
    if (!(await before())) this.#retryLater();
    const changes = this.#changes;
    try {
      await writeAtomically(path, `${JSON.stringify(snapshot())}\n`);
      if (this.#isFailing) log.info({ file: path }, 'the alerts file can be written again');
      this.#isFailing = false;
      return true;
    } catch (error) {
      if (!this.#isFailing) log.error({ file: path, err: error }, 'the alerts file can’t be written');
      this.#isFailing = true;
      this.#retryLater();
      return false;
    } finally {
      this.#tried = changes;
    }
  }

  #retryLater(): void {
    this.#retry ??= setTimeout(() => {
      this.#retry = null;
      void this.persist();
    }, RETRY_MS).unref();
  }
}
