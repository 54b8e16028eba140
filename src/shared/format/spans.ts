const MINUTE = 60_000;

/** A span as it is said: in minutes once it is over one, for seconds do not matter then. One rule, so that all say the same. */
export function wholeMinutes(ms: number): number {
  return ms < MINUTE ? Math.max(0, ms) : Math.floor(ms / MINUTE) * MINUTE;
}
