import type { Clock } from '../../src/main/common/clock.ts';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** A clock that moves only on request. */
export class FakeClock implements Clock {
  #wall: number;
  #passed = 0;
  #timers: Timer[] = [];

  constructor(wall: number) {
    this.#wall = wall;
  }

  now(): number {
    return this.#wall + this.#passed;
  }

  steady(): number {
    return this.#passed;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#passed + ms, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer);
    };
  }

  /** Sets the wall clock, which does not affect timers. */
  set(wall: number): void {
    this.#wall = wall - this.#passed;
  }

  get timers(): number {
    return this.#timers.length;
  }

  /**
   * Lets time pass, timer by timer. Waits for `settled` before each timer and at the end, so that running work can set
   * its own timers.
   */
  async pass(ms: number, settled: () => Promise<unknown>): Promise<void> {
    const end = this.#passed + ms;
    for (;;) {
      await settled();
      const next = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((each) => each !== next);
      this.#passed = Math.max(this.#passed, next.at);
      next.run();
    }
    this.#passed = end;
    await settled();
  }
}
