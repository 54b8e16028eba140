import type { View } from '../view.ts';
import {
  type CalendarRange,
  type CalendarUnit,
  calendarRange,
  daysBefore,
  unitAround,
  unitOf,
} from './calendar-ranges.ts';
import { type ChartRange, isCalendar, presetOfWidth } from './chart-range.ts';

/** The names of the current and the previous unit, to which a step may lead. */
const NAMES: Readonly<Record<CalendarUnit, readonly CalendarRange[]>> = {
  day: ['today', 'yesterday'],
  night: ['lastNight'],
  week: ['thisWeek', 'lastWeek'],
  month: ['thisMonth', 'lastMonth'],
};

/**
 * Returns the previous or next range of the same unit: from this week to the previous calendar week, from 24 hours to
 * the 24 hours before. `view` is the span of the range. null if the result would be after `now`.
 */
export function stepped(
  range: ChartRange,
  view: View,
  direction: -1 | 1,
  now: number,
  firstWeekday: number,
): ChartRange | null {
  const unit = calendarUnitOf(range, firstWeekday);
  if (unit === null) return steppedByWidth(view, direction, now);
  const from =
    range.kind === 'preset' ? calendarRange(range.preset as CalendarRange, now, firstWeekday).from : range.from;
  const whole = unitAround(unit, from, firstWeekday);
  // There is a day between two nights.
  const before = unit === 'night' ? daysBefore(whole.from, 1) : whole.from - 1;
  const next = unitAround(unit, direction === -1 ? before : whole.to + 1, firstWeekday);
  if (next.from > now) return null;
  const name = NAMES[unit].find((each) => calendarRange(each, now, firstWeekday).from === next.from);
  return name === undefined ? { kind: 'custom', ...next } : { kind: 'preset', preset: name };
}

function steppedByWidth(view: View, direction: -1 | 1, now: number): ChartRange | null {
  const width = view.to - view.from;
  if (direction === -1) {
    const from = Math.max(0, view.from - width);
    return { kind: 'custom', from, to: from + width };
  }
  if (view.to >= now) return null;
  const preset = presetOfWidth(width);
  if (view.to + width >= now && preset !== null) return { kind: 'preset', preset };
  return { kind: 'custom', from: view.from + width, to: view.to + width };
}

/** Returns the calendar unit of a range; null if it has none. */
function calendarUnitOf(range: ChartRange, firstWeekday: number): CalendarUnit | null {
  if (range.kind === 'preset') return isCalendar(range.preset) ? unitOf(range.preset) : null;
  const units: readonly CalendarUnit[] = ['day', 'week', 'month', 'night'];
  const isWhole = (unit: CalendarUnit) => {
    const { from, to } = unitAround(unit, range.from, firstWeekday);
    return from === range.from && to === range.to;
  };
  return units.find(isWhole) ?? null;
}
