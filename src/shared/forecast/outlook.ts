import { type Range, shownRange } from '../alerts/shown-range.ts';
import type { AnyField } from '../measures/derived.ts';
import { type FieldScale, PERCENT_FULL } from '../measures/field-scale.ts';
import { leavesIn, type Point, rateOf, type TimeLeft, timeLeft } from './rate.ts';

/** A range that a value leaves later than this many days from now is not worth a message. */
const SOON = 4;
/** Nobody plans further ahead than this many days when a tank is filled. */
const FAR = 30;

/** The forecast of a field in the owner's units, if it continues as in the last days. */
export interface Outlook {
  readonly field: AnyField;
  readonly perDay: number;
  /** `empty`: the tank will be empty; `leaves`: the value will leave its range. */
  readonly what: 'empty' | 'leaves';
  /** In days. */
  readonly left: TimeLeft;
}

/** A field of a device: its course, its newest value and its right range, in the unit that the device sends. */
export interface Course {
  readonly scale: FieldScale;
  readonly points: readonly Point[];
  readonly newest: number;
  readonly band: Range | null;
}

/**
 * Returns the forecasts of fields, the nearest first; `now` is in Unix milliseconds. Fields with too little data have
 * none.
 */
export function outlooks(courses: readonly Course[], now: number): Outlook[] {
  return courses
    .map((course) => outlookOf(course, now))
    .filter((outlook) => outlook !== null)
    .toSorted((a, b) => a.left.from - b.left.from);
}

function outlookOf({ scale, points, newest, band }: Course, now: number): Outlook | null {
  const rate = rateOf(
    points.map(({ at, value }) => ({ at, value: scale.toShown(value) })),
    now,
  );
  if (rate === null) return null;
  const value = scale.toShown(newest);
  const { field } = scale;
  const { perDay } = rate;
  if (scale.unit === PERCENT_FULL) {
    const left = value > 0 ? timeLeft(value, 0, rate) : null;
    return left === null || left.from > FAR ? null : { field, perDay, what: 'empty', left };
  }
  const { low, high } = band === null ? { low: null, high: null } : shownRange(scale, band);
  const left = leavesIn(value, { low, high }, rate);
  return left === null || left.from > SOON ? null : { field, perDay, what: 'leaves', left };
}
