/** Time, so that tests can have their own. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** Calls once after so many milliseconds, whatever becomes of the clock on the wall; returns what ends that. */
  after(ms: number, run: () => void): () => void;
}

/** This machine's. */
export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};
