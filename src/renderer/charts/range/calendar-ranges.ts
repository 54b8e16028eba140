/** Ranges named after the owner's own days, in local time. */
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

/** A stretch of time in Unix milliseconds, both ends inclusive. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * The stretch that a name means at `now`. What is still going on ends now. Last night is from 8 in the evening to 8 in
 * the morning, and after midnight the one that is going on. `firstWeekday` is 1 for Monday to 7 for Sunday.
 */
export function calendarRange(name: CalendarRange, now: number, firstWeekday: number): Stretch {
  const date = new Date(now);
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  const dayStart = (days: number) => localTime(year, month, day + days);
  switch (name) {
    case 'today':
      return upTo(now, dayStart(0));
    case 'yesterday': {
      // Not a day less in the calendar: Samoa once left a whole one out.
      const last = new Date(dayStart(0) - 1);
      return { from: localTime(last.getFullYear(), last.getMonth(), last.getDate()), to: last.getTime() };
    }
    case 'lastNight': {
      const from = localTime(year, month, day - 1, EVENING_HOUR);
      const to = localTime(year, month, day, MORNING_HOUR) - 1;
      return { from, to: Math.min(to, now) };
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

/** The unit that a named range is one of. */
export function unitOf(name: CalendarRange): CalendarUnit {
  if (name === 'today' || name === 'yesterday') return 'day';
  if (name === 'lastNight') return 'night';
  return name === 'thisWeek' || name === 'lastWeek' ? 'week' : 'month';
}

/** The whole unit that a time lies in; of a time between two nights, the one that begins next. */
export function unitAround(unit: CalendarUnit, time: number, firstWeekday: number): Stretch {
  const date = new Date(time);
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  switch (unit) {
    case 'day':
      return { from: localTime(year, month, day), to: localTime(year, month, day + 1) - 1 };
    case 'night': {
      const evening = date.getHours() < MORNING_HOUR ? day - 1 : day;
      const from = localTime(year, month, evening, EVENING_HOUR);
      return { from, to: localTime(year, month, evening + 1, MORNING_HOUR) - 1 };
    }
    case 'week': {
      const first = day - ((date.getDay() + 7 - (firstWeekday % 7)) % 7);
      return { from: localTime(year, month, first), to: localTime(year, month, first + 7) - 1 };
    }
    case 'month':
      return { from: localTime(year, month, 1), to: localTime(year, month + 1, 1) - 1 };
  }
}

/** The same time of day so many days before, in Unix milliseconds; a day that changes the clocks may be longer or shorter. */
export function daysBefore(time: number, days: number): number {
  const date = new Date(time);
  date.setDate(date.getDate() - days);
  return date.getTime();
}

/** The first day of the week where a language is spoken: 1 for Monday to 7 for Sunday. */
export function firstWeekdayOf(locale: string): number {
  const known = new Intl.Locale(locale) as Intl.Locale & {
    getWeekInfo?(): { readonly firstDay: number };
    readonly weekInfo?: { readonly firstDay: number };
  };
  return (known.getWeekInfo?.() ?? known.weekInfo)?.firstDay ?? 1;
}

/** At its very beginning a stretch would be too short to show. */
function upTo(now: number, from: number): Stretch {
  return { from, to: Math.max(now, from + SHORTEST_MS) };
}

/** Days and months beyond their ends are those that follow. A time that the clocks leave out is the one after it. */
function localTime(year: number, month: number, day: number, hour = 0): number {
  return new Date(year, month, day, hour).getTime();
}
