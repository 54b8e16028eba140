/** Time, for everything that the node dates or waits for. Tests bring their own. */
export interface Clock {
  /** The node's time: whole Unix milliseconds. It does not follow a machine's clock that is wrong for a moment. */
  now(): number;
  /** Milliseconds of a clock that nobody sets, from any beginning: for how long something lasts. May have a fraction. */
  steady(): number;
  /** Calls once after so many of those; returns what ends that. */
  after(ms: number, run: () => void): () => void;
}

/** The node's time, for what says when readings arrived. */
export interface ArrivalClock extends Clock {
  /** Now, and the number by which arrivals of now are found again should the time turn out to be wrong; 0: it is known. */
  arrival(): { readonly receivedAt: number; readonly clock: number };
}

/** The machine's own, for what runs without a node: the desktop's shell, a restore, the settings file. */
export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  steady: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};
