const SECOND = 1000;
const MINUTE = 60 * SECOND;

/**
 * Returns a span for use in a sentence, in whole seconds, or in whole minutes if it is longer than one, because seconds
 * do not matter then. All texts use this rule, so that they agree. A value that changes with each millisecond would make
 * the page render without end.
 */
export function wholeMinutes(ms: number): number {
  const step = ms < MINUTE ? SECOND : MINUTE;
  return Math.max(0, Math.floor(ms / step) * step);
}
