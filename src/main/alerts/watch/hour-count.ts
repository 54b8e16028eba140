const MINUTE_MS = 60_000;
const MINUTES = 60;

/** Counts what happened within the last hour, to the minute. Times are those of a clock that nobody sets. */
export class HourCount {
  readonly #counts = new Map<number, number>();

  add(count: number, now: number): void {
    const minute = Math.floor(now / MINUTE_MS);
    if (count > 0) this.#counts.set(minute, (this.#counts.get(minute) ?? 0) + count);
  }

  total(now: number): number {
    const oldest = Math.floor(now / MINUTE_MS) - MINUTES;
    let total = 0;
    for (const [minute, count] of this.#counts) {
      if (minute > oldest) total += count;
      else this.#counts.delete(minute);
    }
    return total;
  }
}
