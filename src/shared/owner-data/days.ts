// Without the schemas and their library, which the first page does not need.

const DAY_MS = 86_400_000;
const HALF_DAYS_AROUND = 2;

/** A calendar day, such as "2026-03-29". Days sort like their texts. */
export type Day = string;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the calendar day of a time (Unix milliseconds) in an IANA time zone; without one, in the machine's own. */
export function dayOf(at: number, zone?: string): Day {
  if (zone === undefined) {
    const date = new Date(at);
    return dayText(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()));
  }
  return formatOf(zone).format(at);
}

/** Returns the format of days in a zone; to make one takes a tenth of a millisecond. Throws RangeError on no zone. */
function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formats.set(zone, format);
  }
  return format;
}

/** Returns the day that is `count` calendar days later, or earlier if negative. */
export function addDays(day: Day, count: number): Day {
  return dayText(Date.parse(day) + count * DAY_MS);
}

/** Returns the number of calendar days between two days. */
export function daysBetween(from: Day, to: Day): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}

/**
 * Returns when a calendar day starts, in Unix milliseconds. In a zone whose clocks go forward at midnight, that is
 * 01:00. A day in which clocks go back starts at the first of its two midnights.
 */
export function startOfDay(day: Day, zone: string): number {
  let after = Date.parse(day) + (HALF_DAYS_AROUND * DAY_MS) / 2;
  let before = Date.parse(day) - (HALF_DAYS_AROUND * DAY_MS) / 2;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dayOf(middle, zone) >= day) after = middle;
    else before = middle;
  }
  return after;
}

/** Returns whether this program knows an IANA time zone. */
export function isZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

function dayText(utcMidnight: number): Day {
  return new Date(utcMidnight).toISOString().slice(0, 10);
}
