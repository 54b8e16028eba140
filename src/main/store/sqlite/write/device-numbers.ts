import type { Database } from 'better-sqlite3';

/** The numbers of registered devices, cached for the writing connection. */
export class DeviceNumbers {
  readonly #select;
  readonly #known = new Map<string, number>();

  constructor(db: Database) {
    this.#select = db.prepare<[Buffer], number>('SELECT device FROM devices WHERE id = ?').pluck();
  }

  /** Returns the number of a device by its id in lowercase hex; null if it is not registered. */
  of(id: string): number | null {
    let number = this.#known.get(id);
    if (number === undefined) {
      number = this.#select.get(Buffer.from(id, 'hex'));
      if (number === undefined) return null;
      this.#known.set(id, number);
    }
    return number;
  }

  /** Call this when the row of a device is deleted. */
  forget(id: string): void {
    this.#known.delete(id);
  }

  /** Call this after a rollback: numbers from that transaction may be assigned again. */
  rolledBack(): void {
    this.#known.clear();
  }
}
