/** Ranges that are named after days, weeks and months, in local time. */
export const CALENDAR_RANGES = [
  'today',
  'yesterday',
  'lastNight',
  'thisWeek',
  'lastWeek',
  'thisMonth',
  'lastMonth',
] as const;
export type CalendarRange = (typeof CALENDAR_RANGES)[number];

const EVENING_HOUR = 20;
const MORNING_HOUR = 8;
const SHORTEST_MS = 60_000;

/** A span of time in Unix milliseconds, both ends inclusive. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the span of a named range at `now`. A range that is not over ends now. `lastNight` is from 20:00 to 8:00;
 * after midnight, it is the current night. `firstWeekday` is 1 for Monday to 7 for Sunday.
 */
export function calendarRange(name: CalendarRange, now: number, firstWeekday: number): Stretch {
  const date = new Date(now);
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  const dayStart = (days: number) => localTime(year, month, day + days);
  switch (name) {
    case 'today':
      return upTo(now, dayStart(0));
    case 'yesterday':
      return { from: dayBefore(dayStart(0)), to: dayStart(0) - 1 };
    case 'lastNight': {
      const to = localTime(year, month, day, MORNING_HOUR) - 1;
      return { from: dayBefore(dayStart(0), EVENING_HOUR), to: Math.min(to, now) };
    }
    case 'thisWeek':
      return upTo(now, dayStart(-((date.getDay() + 7 - (firstWeekday % 7)) % 7)));
    case 'lastWeek':
      return unitAround('week', calendarRange('thisWeek', now, firstWeekday).from - 1, firstWeekday);
    case 'thisMonth':
      return upTo(now, localTime(year, month, 1));
    case 'lastMonth':
      return { from: localTime(year, month - 1, 1), to: localTime(year, month, 1) - 1 };
  }
}

/** The units of calendar ranges. */
export type CalendarUnit = 'day' | 'night' | 'week' | 'month';

/** Returns the unit of a named range. */
export function unitOf(name: CalendarRange): CalendarUnit {
  if (name === 'today' || name === 'yesterday') return 'day';
  if (name === 'lastNight') return 'night';
  return name === 'thisWeek' || name === 'lastWeek' ? 'week' : 'month';
}

/** Returns the whole unit that contains a time. A time between two nights belongs to the next one. */
export function unitAround(unit: CalendarUnit, time: number, firstWeekday: number): Stretch {
  const date = new Date(time);
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  switch (unit) {
    case 'day':
      return { from: localTime(year, month, day), to: localTime(year, month, day + 1) - 1 };
    case 'night': {
      const isMorning = date.getHours() < MORNING_HOUR;
      return {
        from: isMorning
          ? dayBefore(localTime(year, month, day), EVENING_HOUR)
          : localTime(year, month, day, EVENING_HOUR),
        to: localTime(year, month, isMorning ? day : day + 1, MORNING_HOUR) - 1,
      };
    }
    case 'week': {
      const first = day - ((date.getDay() + 7 - (firstWeekday % 7)) % 7);
      return { from: localTime(year, month, first), to: localTime(year, month, first + 7) - 1 };
    }
    case 'month':
      return { from: localTime(year, month, 1), to: localTime(year, month + 1, 1) - 1 };
  }
}

/**
 * Returns the same time of day a number of days earlier, in Unix milliseconds. Days on which the clocks change are
 * longer or shorter.
 */
export function daysBefore(time: number, days: number): number {
  const date = new Date(time);
  date.setDate(date.getDate() - days);
  return date.getTime();
}

/** Returns the first day of the week in a locale: 1 for Monday to 7 for Sunday. */
export function firstWeekdayOf(locale: string): number {
  const known = new Intl.Locale(locale) as Intl.Locale & {
    getWeekInfo?(): { readonly firstDay: number };
    readonly weekInfo?: { readonly firstDay: number };
  };
  return (known.getWeekInfo?.() ?? known.weekInfo)?.firstDay ?? 1;
}

/**
 * Returns the span from `from` to now. It is at least a minute, as a span that has just begun would be too short to
 * show.
 */
function upTo(now: number, from: number): Stretch {
  return { from, to: Math.max(now, from + SHORTEST_MS) };
}

/**
 * Returns a local time in Unix milliseconds. Days and months may be out of range. A time that is skipped by a clock
 * change is the one after it.
 */
function localTime(year: number, month: number, day: number, hour = 0): number {
  return new Date(year, month, day, hour).getTime();
}

/**
 * Returns an hour of the day before the day that begins at `start`. It does not subtract a day from the date: Samoa once
 * skipped a whole day.
 */
function dayBefore(start: number, hour = 0): number {
  const last = new Date(start - 1);
  return localTime(last.getFullYear(), last.getMonth(), last.getDate(), hour);
}
