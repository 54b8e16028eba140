import type { Database } from 'better-sqlite3';

/** The hour since which retention deleted nothing of a device, remembered for the one connection that writes. */
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

  /** 0 where retention never deleted anything of a device. */
  of(device: number): number {
    let hour = this.#known.get(device);
    if (hour === undefined) {
      hour = this.#select.get(device) ?? 0;
      this.#known.set(device, hour);
    }
    return hour;
  }

  /** Raises it, in the transaction under way. */
  raise(device: number, hour: number): void {
    if (hour <= this.of(device)) return;
    this.#replace.run(device, hour);
    this.#known.set(device, hour);
  }

  /** Removes what there is of a device, in the transaction that removes its row. */
  forget(device: number): void {
    this.#remove.run(device);
    this.#known.delete(device);
  }

  /** Call this when a transaction was undone. */
  rolledBack(): void {
    this.#known.clear();
  }
}
