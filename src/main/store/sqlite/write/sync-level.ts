import type { Database } from 'better-sqlite3';
import type { Durability } from '../../port.ts';

/**
 * The sync level of a connection: the level it was opened with, except while transactions run that may be lost in a
 * power cut.
 */
export class SyncLevel {
  readonly #db: Database;
  /** The number of the level in `PRAGMA synchronous`. */
  #wanted: number;
  /** Whether the connection may still be at the lower level. */
  #isRelaxed = false;

  constructor(db: Database) {
    this.#db = db;
    this.#wanted = this.#inForce;
  }

  /** Sets the level from now on. */
  set(durability: Durability): void {
    this.ensure();
    this.#db.pragma(`synchronous = ${durability}`);
    this.#wanted = this.#inForce;
  }

  /**
   * Runs transactions that do not wait for the disk. A fault of the reset afterwards is not theirs: they may be on the
   * disk, and would be run twice. The next call of `ensure` meets it.
   */
  relaxed<T>(run: () => T): T {
    try {
      this.#isRelaxed = true;
      this.#db.pragma('synchronous = NORMAL');
      return run();
    } finally {
      try {
        this.ensure();
      } catch {
        // As said above.
      }
    }
  }

  /**
   * Call this before each transaction whose outcome is reported. If a fault prevented the reset of the level, this
   * resets it or throws: a block is never confirmed with a lower level.
   */
  ensure(): void {
    if (!this.#isRelaxed) return;
    if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
    this.#db.pragma(`synchronous = ${this.#wanted}`);
    const inForce = this.#inForce;
    if (inForce !== this.#wanted) throw new Error(`the store syncs at level ${inForce}, not ${this.#wanted}`);
    this.#isRelaxed = false;
  }

  get #inForce(): number {
    return this.#db.pragma('synchronous', { simple: true }) as number;
  }
}
