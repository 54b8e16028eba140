import { type Line, type RightRange, timeInRange } from '../measures/time-in-range.ts';
import { addDays, dayOf, startOfDay } from './days.ts';

const DAY_MS = 86_400_000;
/** A longer step contains both day and night. */
const LONGEST_STEP_MS = 4 * 3_600_000;

/** Local times, `HH:MM`. If `to` is before `from`, they include midnight. */
export interface DayHours {
  readonly from: string;
  readonly to: string;
}

/** The hours that count as day if the owner set none and the place is unknown. */
export const USUAL_DAY: DayHours = { from: '08:00', to: '20:00' };

/** The values of a line in its own unit. Each list has an entry for every one of `times`. */
export interface Measured extends Line {
  readonly min: readonly (number | null)[];
  readonly max: readonly (number | null)[];
  /** The number of readings in each entry. */
  readonly count: readonly number[];
  /** The width of a step in milliseconds; null if each entry is one reading. */
  readonly stepMs: number | null;
}

/** The sums of a stretch of time. null: nothing was measured, or no range applies. */
export interface DayPart {
  /** Unix milliseconds; `to` is the first moment after it. */
  readonly from: number;
  readonly to: number;
  /** From 0 to 1. */
  readonly inRange: number | null;
  readonly mean: number | null;
  /** The means by day and by night; null, too, if the steps are longer than `LONGEST_STEP_MS`. */
  readonly day: number | null;
  readonly night: number | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly count: number;
}

/**
 * Returns the beginnings of the days or weeks in a stretch of time, in an IANA time zone, with the stretch's own
 * beginning and end. A day in which clocks change is longer or shorter. `firstWeekday`: 1 for Monday to 7 for Sunday;
 * null for days.
 */
export function calendarBounds(
  { from, to }: { readonly from: number; readonly to: number },
  zone: string,
  firstWeekday: number | null,
): number[] {
  const bounds = [from];
  for (let day = addDays(dayOf(from, zone), 1); ; day = addDays(day, 1)) {
    const start = startOfDay(day, zone);
    if (start >= to) break;
    const weekday = ((Math.floor(Date.parse(day) / DAY_MS) + 3) % 7) + 1;
    if (start > bounds.at(-1)! && (firstWeekday === null || weekday === firstWeekday)) bounds.push(start);
  }
  return [...bounds, to];
}

/** Sums a line up between each bound and the next. A value counts at its time; a step counts at its middle. */
export function dayParts(
  measured: Measured,
  ranges: readonly RightRange[],
  bounds: readonly number[],
  isDay: (at: number) => boolean,
): DayPart[] {
  const knowsDay = measured.stepMs === null || measured.stepMs <= LONGEST_STEP_MS;
  return bounds.slice(1).map((to, index) => {
    const from = bounds[index]!;
    const [all, day, night] = [new Mean(), new Mean(), new Mean()];
    let [min, max]: [number | null, number | null] = [null, null];
    for (const [place, time] of measured.times.entries()) {
      const value = measured.mean[place];
      if (value == null || time < from || time >= to) continue;
      const count = measured.count[place]!;
      all.add(value, count);
      if (knowsDay) (isDay(time) ? day : night).add(value, count);
      min = Math.min(min ?? Number.POSITIVE_INFINITY, measured.min[place] ?? value);
      max = Math.max(max ?? Number.NEGATIVE_INFINITY, measured.max[place] ?? value);
    }
    const inRange = timeInRange(measured, ranges, { from, to });
    return {
      ...{ from, to, inRange, min, max },
      ...{ mean: all.value, day: day.value, night: night.value, count: all.count },
    };
  });
}

/**
 * Returns a function that decides whether a time is within hours of each day, such as those of day or quiet hours, by
 * local time in a time zone. They may span midnight. An hour that occurs twice counts twice, and one that is left out
 * never comes.
 */
export function byHours({ from, to }: DayHours, zone: string): (at: number) => boolean {
  const clock = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  });
  return (at) => {
    const time = clock.format(at);
    return from < to ? from <= time && time < to : from <= time || time < to;
  };
}

/** A mean that does not overflow. */
class Mean {
  count = 0;
  #mean = 0;

  get value(): number | null {
    return this.count === 0 ? null : this.#mean;
  }

  add(value: number, count: number): void {
    this.count += count;
    if (count > 0) this.#mean += (value - this.#mean) * (count / this.count);
  }
}
