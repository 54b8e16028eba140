import type { AlertOptions, DigestSetting } from '../../../shared/alerts/channel.ts';
import { type Day, dayOf } from '../../../shared/owner-data/days.ts';
import type { StoresView } from '../../store/stores-view.ts';
import { derivedId } from '../derived-id.ts';
import type { DigestFacts } from './facts.ts';
import { dueNow, type Period, periodAt } from './periods.ts';
import { type DigestSources, readDigest } from './read-facts.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

export interface DigestsDependencies extends DigestSources {
  readonly options: () => AlertOptions;
  /** Calls `run` with the stores. If they can't be read, `run` is not called or ends early. */
  readonly read: (run: (stores: StoresView) => Promise<void>) => Promise<void>;
  /** Adds a summary for its channels in memory. It is on disk after the next write of the state. */
  readonly put: (id: string, facts: DigestFacts, channels: DigestSetting['channels']) => void;
}

/** Makes the summary message when it is due, once for each day or week. */
export class Digests {
  readonly #dependencies: DigestsDependencies;
  /** The day of the latest summary, or the day after which summaries are made; null if they were never on. */
  #told: Day | null = null;
  #setting = '';
  #lookedAt = Number.NEGATIVE_INFINITY;
  #isBusy = false;

  constructor(dependencies: DigestsDependencies) {
    this.#dependencies = dependencies;
  }

  restore(told: Day | null): void {
    this.#told = told;
    this.#setting = this.#text();
  }

  /** The state to save. */
  get kept(): Day | null {
    return this.#told;
  }

  /** Call this when the options changed. A new setting makes no summary due for a time that has passed. */
  reconsider(): void {
    const { options, clock } = this.#dependencies;
    if (this.#setting === this.#text()) return;
    this.#setting = this.#text();
    const { digest } = options();
    if (digest === null) return;
    const { day } = periodAt(digest, clock.now());
    if (this.#told === null || this.#told < day) this.#told = day;
  }

  /**
   * Makes a summary if one is due; call this regularly. Returns whether there is one, which the caller must save and
   * send.
   */
  async look(): Promise<boolean> {
    const { options, clock } = this.#dependencies;
    const { digest } = options();
    const minute = Math.floor(clock.now() / MINUTE_MS);
    if (digest === null || this.#isBusy || minute === this.#lookedAt) return false;
    this.#lookedAt = minute;
    const { period, told } = dueNow(digest, this.#told, clock.now());
    if (period === null) {
      this.#told = told;
      return false;
    }
    this.#isBusy = true;
    try {
      const facts = await this.#facts(digest, period);
      // Summaries may have been turned off meanwhile. If the stores can't be read, this is tried again in a minute.
      if (facts === null || options().digest !== digest) return false;
      // Both are saved in one file: after a crash either both the message and the day are there, or neither.
      this.#told = told;
      this.#dependencies.put(
        derivedId(`digest ${digest.weekday === null ? 'day' : 'week'} ${told}`),
        facts,
        digest.channels,
      );
      return true;
    } finally {
      this.#isBusy = false;
    }
  }

  /** Makes a summary of the last day or week until now. Resolves with null if the stores can't be read. */
  make(setting: DigestSetting): Promise<DigestFacts | null> {
    const to = this.#dependencies.clock.now();
    const days = setting.weekday === null ? 1 : 7;
    return this.#facts(setting, { day: dayOf(to, setting.zone), from: to - days * DAY_MS, to });
  }

  async #facts(setting: DigestSetting, period: Period): Promise<DigestFacts | null> {
    let facts: DigestFacts | null = null;
    await this.#dependencies.read(async (stores) => {
      facts = await readDigest(this.#dependencies, stores, setting, period);
    });
    return facts;
  }

  #text(): string {
    return JSON.stringify(this.#dependencies.options().digest);
  }
}
