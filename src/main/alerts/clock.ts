/** Time, so that tests can have their own. */
export interface Clock {
  /** Unix milliseconds; somebody may set it. */
  now(): number;
  /** Milliseconds that pass as they do, whatever the clock on the wall says: for waiting. */
  steady(): number;
  /** Calls once after so many of those; returns what ends that. */
  after(ms: number, run: () => void): () => void;
}

/** This machine's. */
export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  steady: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};
