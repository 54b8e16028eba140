/** The source of time for everything that the node dates or waits for. Tests pass their own. */
export interface Clock {
  /**
   * Returns the node's time in whole Unix milliseconds. It does not follow a machine's clock that is wrong only
   * briefly.
   */
  now(): number;
  /** Returns milliseconds of a monotonic clock with any origin, for durations. May have a fraction. */
  steady(): number;
  /** Calls `run` once after `ms` steady milliseconds; returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
}

/** The node's time, for times of arrival. */
export interface ArrivalClock extends Clock {
  /**
   * Returns the present time, and the number of the period of the clock: arrivals with that number are corrected if the
   * time turns out to be wrong. 0 if the time is known to be right.
   */
  arrival(): { readonly receivedAt: number; readonly clock: number };
}

/** The machine's clock, for code that runs without a node: the desktop shell, a restore, the settings file. */
export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  steady: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};
