import type { TimeRange } from '../../api/queries/readings.ts';
import type { FieldData } from '../series/chart-data.ts';
import type { View } from '../view.ts';
import { daysBefore } from './calendar-ranges.ts';

/** The earlier spans that may be drawn behind a chart. */
export const OVERLAYS = ['yesterday', 'lastWeek'] as const;
export type Overlay = (typeof OVERLAYS)[number];
const DAYS: Readonly<Record<Overlay, number>> = { yesterday: 1, lastWeek: 7 };

/** The values of an earlier span behind a chart. */
export interface Earlier {
  readonly overlay: Overlay;
  /** Moved to the times of the chart; null while they load. */
  readonly data: FieldData | null;
}

/**
 * The end of a moving range is rounded to about 1/60 of its width, so that the query stays the same while the width
 * grows a little.
 */
const STEPS_PER_WIDTH = 60;

/** Returns the span of the query; null if the range covers everything, so that nothing is before it. */
export function overlayRange(overlay: Overlay, asked: TimeRange, { from, to }: View): TimeRange | null {
  if (asked.from === null) return null;
  const step = Math.max(1, 2 ** Math.floor(Math.log2((to - from) / STEPS_PER_WIDTH)));
  const end = asked.to ?? (Math.floor(to / step) + 2) * step;
  const earlier = (time: number) => Math.max(0, daysBefore(time, DAYS[overlay]));
  return { from: earlier(asked.from), to: earlier(end) };
}

/**
 * Moves a line to the same times of day some days later. When the clocks change, leaves out an hour that only one of
 * the two days has.
 */
export function shiftedLater(data: FieldData, overlay: Overlay): FieldData {
  const days = DAYS[overlay];
  const kept: number[] = [];
  const times: number[] = [];
  for (const [index, time] of data.times.entries()) {
    const later = daysBefore(time, -days);
    if (daysBefore(later, days) !== time) continue;
    kept.push(index);
    times.push(later);
  }
  const pick = <T>(list: readonly T[]): T[] => kept.map((index) => list[index]!);
  const { mean, min, max, count } = data;
  const sealed = data.sealed.map((each) => ({ ...each, time: daysBefore(each.time, -days) }));
  return { ...data, times, mean: pick(mean), min: pick(min), max: pick(max), count: pick(count), sealed };
}
