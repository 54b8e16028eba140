const MINUTE = 60_000;

/**
 * Returns a span for use in a sentence: in whole minutes if it is longer than one, because seconds do not matter then.
 * All texts use this rule, so that they agree.
 */
export function wholeMinutes(ms: number): number {
  return ms < MINUTE ? Math.max(0, ms) : Math.floor(ms / MINUTE) * MINUTE;
}
