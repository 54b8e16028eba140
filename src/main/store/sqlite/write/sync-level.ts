import type { Database } from 'better-sqlite3';
import type { Durability } from '../../port.ts';

/** How much a connection syncs: as it was opened to, but for what may be lost with the power. */
export class SyncLevel {
  readonly #db: Database;
  /** As `PRAGMA synchronous` numbers it. */
  #wanted: number;
  /** Whether the connection may still be set to sync less. */
  #isRelaxed = false;

  constructor(db: Database) {
    this.#db = db;
    this.#wanted = this.#inForce;
  }

  /** Syncs at another level from now on. */
  set(durability: Durability): void {
    this.ensure();
    this.#db.pragma(`synchronous = ${durability}`);
    this.#wanted = this.#inForce;
  }

  /** Runs something whose transactions wait for no disk. */
  relaxed<T>(run: () => T): T {
    try {
      this.#isRelaxed = true;
      this.#db.pragma('synchronous = NORMAL');
      return run();
    } finally {
      this.ensure();
    }
  }

  /**
   * Call this before each transaction whose outcome somebody hears of. Should a fault have kept it from being set back,
   * the connection syncs again as it is meant to, or this throws: a block is never confirmed on less.
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
