import type { StateFolder } from '../../state-files/aside.ts';
import { openStateFile } from '../../state-files/damaged-files.ts';
import type { StateFile } from '../../state-files/state-file.ts';
import { ALERTS_FILE, type AlertsDocument } from './document.ts';

/** The delay before a failed write is tried again. */
const RETRY_MS = 30_000;

export interface AlertsFileOptions extends StateFolder {
  /** Tries to write the data that must be on disk before this file. Resolves with whether it is. */
  readonly before: () => Promise<boolean>;
  /** Returns the contents to write; called when a write begins. */
  readonly snapshot: () => AlertsDocument;
}

/**
 * The state file of the alerts. At most one write is running; changes during it go into the next one. If the disk
 * refuses writes, alerts continue in memory and are written when that is possible again.
 */
export class AlertsFile {
  readonly #options: AlertsFileOptions;
  readonly #file: StateFile<typeof ALERTS_FILE.schema>;
  #current: Promise<boolean> = Promise.resolve(true);
  #next: Promise<boolean> | null = null;
  #retry: NodeJS.Timeout | null = null;
  #isFailing = false;
  /** The number of changes; a write of those up to `#tried` was tried. */
  #changes = 0;
  #tried = 0;

  constructor(options: AlertsFileOptions) {
    this.#options = options;
    this.#file = openStateFile(ALERTS_FILE, options);
  }

  /**
   * Reads the file. Returns its contents, null if there is no file, and whether they are complete. Throws StartError if
   * the file may not be read.
   */
  read(): { readonly kept: AlertsDocument | null; readonly isWhole: boolean } {
    const kept = this.#file.read();
    return { kept, isWhole: kept !== null && !this.#file.wasDamaged };
  }

  /** Call this for a change that must be on disk before anyone is notified of it. */
  change(): void {
    this.#changes += 1;
  }

  /** Resolves when all such changes so far are on disk, or their write failed. Never rejects. */
  async settled(): Promise<void> {
    if (this.#tried < this.#changes) await this.persist();
  }

  /**
   * Writes the current state. Resolves with true when it is on disk, or with false if the write failed. Never rejects.
   */
  persist(): Promise<boolean> {
    this.#next ??= this.#current.then(() => {
      this.#next = null;
      this.#current = this.#write();
      return this.#current;
    });
    return this.#next;
  }

  /** Writes the current state and stops retries. */
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
