import type { Clock } from '../../common/clock.ts';

/** Clocks drift apart by less than this between two looks. */
const SLACK_MS = 2000;

/** Notices when the clock was set. */
export class ClockGuard {
  readonly #clock: Clock;
  #offset: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#offset = clock.now() - clock.steady();
  }

  /** Whether it was set since the last call. */
  wasSet(): boolean {
    const offset = this.#clock.now() - this.#clock.steady();
    const isSet = Math.abs(offset - this.#offset) > SLACK_MS;
    // It also drifts: what is slow is no jump.
    this.#offset = offset;
    return isSet;
  }
}
