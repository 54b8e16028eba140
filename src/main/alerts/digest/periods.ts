import type { DigestSetting } from '../../../shared/alerts/channel.ts';
import { addDays, type Day, dayOf, startOfDay } from '../../../shared/owner-data/days.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
const DAY_MS = DAY_MINUTES * MINUTE_MS;
const WEEK_DAYS = 7;
/** The most that a clock is set at once, except when a country changes its calendar day. */
const MOST_SET_MINUTES = 180;
/** A summary that is late by more than this part of its period is left out. */
const MOST_LATE = 0.5;

/** A day or a week that a summary is about. Times are Unix milliseconds. */
export interface Period {
  /** The calendar day on which the period ends and its summary is due. */
  readonly day: Day;
  readonly from: number;
  /** The time at which the summary is due. */
  readonly to: number;
}

type When = Pick<DigestSetting, 'weekday' | 'time' | 'zone'>;

/**
 * Returns when a summary of a calendar day is due: the first minute of that day at which the local time is `time`. If
 * clocks are set forward over it, a later minute.
 */
export function dueAt(day: Day, { time, zone }: Pick<When, 'time' | 'zone'>): number {
  const clock = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  });
  const start = startOfDay(day, zone);
  const [hours, minutes] = time.split(':').map(Number) as [number, number];
  const usual = start + (hours * 60 + minutes) * MINUTE_MS;
  // On most days no clock is set before that time.
  if (clock.format(start) === '00:00' && clock.format(usual) === time && dayOf(usual, zone) === day) return usual;
  for (let minute = -MOST_SET_MINUTES; minute <= MOST_SET_MINUTES; minute += 1) {
    const at = usual + minute * MINUTE_MS;
    if (at < start) continue;
    const shown = dayOf(at, zone);
    if (shown > day || (shown === day && clock.format(at) >= time)) return at;
  }
  return usual;
}

/** Returns the period that ended last. */
export function periodAt(when: When, now: number): Period {
  let day = dayOf(now, when.zone);
  while ((when.weekday !== null && weekdayOf(day) !== when.weekday) || dueAt(day, when) > now) day = addDays(day, -1);
  const from = dueAt(addDays(day, when.weekday === null ? -1 : -WEEK_DAYS), when);
  return { day, from, to: dueAt(day, when) };
}

/** Returns the period whose summary is due, or null, and the new value of `told`: the day of the latest summary. */
export function dueNow(
  when: When,
  told: Day | null,
  now: number,
): { readonly period: Period | null; readonly told: Day } {
  const period = periodAt(when, now);
  // There was no summary yet: the first is due at the next time that the owner chose.
  if (told === null) return { period: null, told: period.day };
  // The latest summary was made while the clock was far ahead.
  if (told > addDays(dayOf(now, when.zone), 1)) return { period: null, told: period.day };
  if (period.day <= told) return { period: null, told };
  const isTooLate = now - period.to > (period.to - period.from) * MOST_LATE;
  return isTooLate ? { period: null, told: period.day } : { period, told: period.day };
}

/** Returns 1 for Monday to 7 for Sunday. */
function weekdayOf(day: Day): number {
  return ((Math.floor(Date.parse(day) / DAY_MS) + 3) % WEEK_DAYS) + 1;
}
