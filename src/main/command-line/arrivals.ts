import type { Output } from '../../shared/owner-api/contract.ts';
import type { OwnerReading } from '../../shared/owner-api/readings.ts';

type Page = Output<'readingsPage'>;

/**
 * Finds what arrives for a device, each reading once. Readings come in any order of their own times: a device sends what it
 * kept while it was out of reach.
 */
export class Arrivals {
  readonly #page: (cursor: string | null) => Promise<Page>;
  readonly #seen = new Set<string>();
  #total = 0;
  /** When the latest that was there at the beginning arrived, Unix milliseconds. */
  #begunAt = 0;

  /** `page`: all readings of the device, the newest first; what it rejects with is passed on, and nothing is lost by it. */
  constructor(page: (cursor: string | null) => Promise<Page>) {
    this.#page = page;
  }

  /** The newest readings that are there now, oldest first: `next` tells what comes after them. */
  async begin(): Promise<OwnerReading[]> {
    const { readings, total } = await this.#page(null);
    this.#note(readings);
    this.#begunAt = Math.max(0, ...readings.map(({ receivedAt }) => receivedAt));
    this.#total = total ?? 0;
    return readings.toReversed();
  }

  /** Notes readings that were found otherwise: `next` leaves them out. */
  add(readings: readonly OwnerReading[]): void {
    const later = readings.filter((reading) => this.#isLater(reading));
    this.#total += later.length;
    this.#note(later);
  }

  /** The readings that arrived since, oldest first. */
  async next(): Promise<OwnerReading[]> {
    const arrived: OwnerReading[] = [];
    let { readings, next, total } = await this.#page(null);
    const missing = (total ?? 0) - this.#total;
    arrived.push(...readings.filter(({ seq }) => !this.#seen.has(seq)));
    // What came late lies among older ones that were never looked at.
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
