import type { StateFolder } from '../../state-files/aside.ts';
import { openStateFile } from '../../state-files/damaged-files.ts';
import type { StateFile } from '../../state-files/state-file.ts';
import { ALERTS_FILE, type AlertsDocument } from './document.ts';

/** How long after a write that failed it is tried again. */
const RETRY_MS = 30_000;

export interface AlertsFileOptions extends StateFolder {
  /** Resolves when it was tried to write what has to be on disk before the file, with whether it is. */
  readonly before: () => Promise<boolean>;
  /** The contents to write; asked when a write begins. */
  readonly snapshot: () => AlertsDocument;
}

/**
 * The file that alerts outlive the process in. One write is in flight; what changes meanwhile is in the
 * next. A disk that takes no writes stops nothing: what is in memory counts, and is written when that is possible.
 */
export class AlertsFile {
  readonly #options: AlertsFileOptions;
  readonly #file: StateFile<typeof ALERTS_FILE.schema>;
  #current: Promise<boolean> = Promise.resolve(true);
  #next: Promise<boolean> | null = null;
  #retry: NodeJS.Timeout | null = null;
  #isFailing = false;
  /** Counts changes; it was tried to write those up to `#tried`. */
  #changes = 0;
  #tried = 0;

  constructor(options: AlertsFileOptions) {
    this.#options = options;
    this.#file = openStateFile(ALERTS_FILE, options);
  }

  /**
   * The contents of the file and whether they are complete; null if there is no file. Throws StartError if it may not
   * be read.
   */
  read(): { readonly kept: AlertsDocument | null; readonly isWhole: boolean } {
    const kept = this.#file.read();
    return { kept, isWhole: kept !== null && !this.#file.wasDamaged };
  }

  /** Called for a change that nobody may hear about before it is on disk. */
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
    const { log, before, snapshot } = this.#options;
    const { path } = this.#file;
    if (!(await before())) this.#retryLater();
    const changes = this.#changes;
    try {
      await this.#file.write(snapshot);
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
