import type { Output } from '../../shared/owner-api/contract.ts';
import type { OwnerReading } from '../../shared/owner-api/readings.ts';

type Page = Output<'readingsPage'>;

/**
 * Finds the new readings of a device, each once. Readings may arrive in any order of their own times, because a device
 * sends its buffered readings later.
 */
export class Arrivals {
  readonly #page: (cursor: string | null) => Promise<Page>;
  readonly #seen = new Set<string>();
  #total = 0;
  /** The arrival of the latest reading that was there at the beginning, in Unix milliseconds. */
  #begunAt = 0;

  /**
   * `page` returns pages of all readings of the device, the newest first. Its rejections are passed on and lose no
   * reading.
   */
  constructor(page: (cursor: string | null) => Promise<Page>) {
    this.#page = page;
  }

  /** Returns the newest present readings, oldest first. `next` returns the later ones. */
  async begin(): Promise<OwnerReading[]> {
    const { readings, total } = await this.#page(null);
    this.#note(readings);
    this.#begunAt = Math.max(0, ...readings.map(({ receivedAt }) => receivedAt));
    this.#total = total ?? 0;
    return readings.toReversed();
  }

  /** Marks readings that the caller found in another way, so that `next` leaves them out. */
  add(readings: readonly OwnerReading[]): void {
    const later = readings.filter((reading) => this.#isLater(reading));
    this.#total += later.length;
    this.#note(later);
  }

  /** Returns the readings that arrived since the last call, oldest first. */
  async next(): Promise<OwnerReading[]> {
    const arrived: OwnerReading[] = [];
    let { readings, next, total } = await this.#page(null);
    const missing = (total ?? 0) - this.#total;
    arrived.push(...readings.filter(({ seq }) => !this.#seen.has(seq)));
    // Readings that arrived late are among older ones that were never listed.
    while (arrived.length < missing && next !== null) {
      ({ readings, next } = await this.#page(next));
      arrived.push(...readings.filter((reading) => this.#isLater(reading)));
    }
    this.#note(arrived);
    this.#total = total ?? 0;
    return arrived.reverse();
  }

  #isLater({ seq, receivedAt }: OwnerReading): boolean {
    return !this.#seen.has(seq) && receivedAt > this.#begunAt;
  }

  #note(readings: readonly OwnerReading[]): void {
    for (const { seq } of readings) this.#seen.add(seq);
  }
}
