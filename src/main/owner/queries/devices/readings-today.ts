import type { KnownDevice, StoresView } from '../../../store/stores-view.ts';

/** If counting takes longer than this, it uses at most this share of the time. Otherwise each call counts. */
const CHEAP_MS = 10;
const SHARE = 1 / 50;

interface Twice {
  readonly since: number;
  readonly count: number;
}

/**
 * Counts the readings that arrived since the day began. A reading that arrived at both endpoints counts once. The
 * stores count blocks by the hour, not by device, so the readings in both stores are subtracted. They are counted again
 * only for devices with new readings.
 */
export class ReadingsToday {
  readonly #twice = new Map<string, Twice>();
  readonly #touched = new Set<string>();
  #last: { readonly since: number; readonly count: number; readonly madeAt: number; readonly costMs: number } | null =
    null;

  /** Call this when a device has new readings. */
  arrived(id: string): void {
    this.#touched.add(id);
  }

  /**
   * Returns the count since a time in Unix milliseconds; `stored` is how many blocks both stores counted since then.
   * The count never decreases, because the stores' counts stay when a device is forgotten.
   */
  async count(stores: StoresView, devices: readonly KnownDevice[], stored: number, since: number): Promise<number> {
    const before = this.#last?.since === since ? this.#last : null;
    const now = performance.now();
    if (before !== null && before.costMs > CHEAP_MS && now - before.madeAt < before.costMs / SHARE) return before.count;
    for (const { id, entries } of devices) {
      const kept = this.#twice.get(id);
      const isKept = kept?.since === since;
      if (entries.length < 2 || (isKept && !this.#touched.has(id))) continue;
      const found = await stores.countInBoth(id, since);
      this.#twice.set(id, { since, count: Math.max(found, isKept ? kept.count : 0) });
    }
    this.#touched.clear();
    let twice = 0;
    for (const [id, { since: of, count }] of this.#twice) {
      if (of === since) twice += count;
      else this.#twice.delete(id);
    }
    const count = Math.max(stored - twice, before?.count ?? 0);
    this.#last = { since, count, madeAt: now, costMs: performance.now() - now };
    return count;
  }
}
