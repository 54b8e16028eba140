const HOUR_MS = 3_600_000;
/** The hour of the day: early enough to care for a plant before the day is hot. */
const MORNING = 8;

/** Returns the time an hour from now, in Unix milliseconds. */
export function inAnHour(now: number): number {
  return Math.round(now + HOUR_MS);
}

/** Returns tomorrow morning in the local time of the browser, in Unix milliseconds. */
export function tomorrow(now: number): number {
  const day = new Date(now);
  // Uses the calendar: a day on which the clocks change does not have 24 hours.
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1, MORNING).getTime();
}
