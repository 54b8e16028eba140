import type { KnownDevice, StoresView } from '../../../store/port.ts';

/** Where counting takes longer, it takes at most this share of the time; below, it is counted at each call. */
const CHEAP_MS = 10;
const SHARE = 1 / 50;

interface Twice {
  readonly since: number;
  readonly count: number;
}

/**
 * How many readings came in since the day began, one that came to both endpoints counted once. The stores count blocks
 * by the hour, not by device, so what is in both is taken off; it is looked for where a device has new readings.
 */
export class ReadingsToday {
  readonly #twice = new Map<string, Twice>();
  readonly #touched = new Set<string>();
  #last: { readonly since: number; readonly count: number; readonly madeAt: number; readonly costMs: number } | null =
    null;

  /** Takes in that a device has new readings. */
  arrived(id: string): void {
    this.#touched.add(id);
  }

  /**
   * The count since a time in Unix milliseconds; `stored` is how many blocks both stores counted since then. It never
   * goes down: those counts are not taken back when a device is forgotten.
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
