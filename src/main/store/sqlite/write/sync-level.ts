import type { Database } from 'better-sqlite3';

/** How much a connection syncs: as it was opened to, but for what may be lost with the power. */
export class SyncLevel {
  readonly #db: Database;
  /** As `PRAGMA synchronous` numbers it. */
  readonly #opened: number;
  /** Whether the connection may still be set to sync less. */
  #isRelaxed = false;

  constructor(db: Database) {
    this.#db = db;
    this.#opened = db.pragma('synchronous', { simple: true }) as number;
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
   * To be called before each transaction whose outcome somebody hears of. Should a fault have kept it from being set back,
   * the connection syncs again as it was opened to, or this throws: a block is never confirmed on less.
   */
  ensure(): void {
    if (!this.#isRelaxed) return;
    if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
    this.#db.pragma(`synchronous = ${this.#opened}`);
    const inForce = this.#db.pragma('synchronous', { simple: true });
    if (inForce !== this.#opened) throw new Error(`the store syncs at level ${inForce}, not ${this.#opened}`);
    this.#isRelaxed = false;
  }
}
