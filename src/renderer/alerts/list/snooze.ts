const HOUR_MS = 3_600_000;
/** Early enough to see to a plant before the day is hot. */
const MORNING = 8;

/** An hour from now. */
export function inAnHour(now: number): number {
  return Math.round(now + HOUR_MS);
}

/** Tomorrow morning, by the local time of whoever looks. */
export function tomorrow(now: number): number {
  const day = new Date(now);
  // By the calendar: a day on which the clocks change has not 24 hours.
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1, MORNING).getTime();
}
