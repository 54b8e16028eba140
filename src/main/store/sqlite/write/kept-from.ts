import type { Database } from 'better-sqlite3';

/** The hour since which retention deleted nothing of a device, cached for the writing connection. */
export class KeptFrom {
  readonly #select;
  readonly #replace;
  readonly #remove;
  readonly #known = new Map<number, number>();

  constructor(db: Database) {
    this.#select = db.prepare<[number], number>('SELECT kept_from FROM retention WHERE device = ?').pluck();
    this.#replace = db.prepare('REPLACE INTO retention (device, kept_from) VALUES (?, ?)');
    this.#remove = db.prepare('DELETE FROM retention WHERE device = ?');
  }

  /** Returns the hour; 0 if retention never deleted anything of the device. */
  of(device: number): number {
    let hour = this.#known.get(device);
    if (hour === undefined) {
      hour = this.#select.get(device) ?? 0;
      this.#known.set(device, hour);
    }
    return hour;
  }

  /** Raises the hour, in the current transaction. */
  raise(device: number, hour: number): void {
    if (hour <= this.of(device)) return;
    this.#replace.run(device, hour);
    this.#known.set(device, hour);
  }

  /** Removes the hour of a device, in the transaction that removes its row. */
  forget(device: number): void {
    this.#remove.run(device);
    this.#known.delete(device);
  }

  /** Call this after a rollback. */
  rolledBack(): void {
    this.#known.clear();
  }
}
