import type { TimeRange } from '../../api/queries/readings.ts';
import type { FieldData } from '../series/chart-data.ts';
import type { View } from '../view.ts';
import { daysBefore } from './calendar-ranges.ts';

/** Earlier stretches that may lie behind a chart, and how many days earlier they are. */
export const OVERLAYS = ['yesterday', 'lastWeek'] as const;
export type Overlay = (typeof OVERLAYS)[number];
const DAYS: Readonly<Record<Overlay, number>> = { yesterday: 1, lastWeek: 7 };

/** Values of an earlier stretch behind a chart. */
export interface Earlier {
  readonly overlay: Overlay;
  /** Moved to the times of the chart; null while they are on their way. */
  readonly data: FieldData | null;
}

/** The end of a moving range is asked for in about such parts of its width, the same while the width grows a little. */
const STEPS_PER_WIDTH = 60;

/** The span to ask the node for; null if the range covers everything, so that nothing lies before it. */
export function overlayRange(overlay: Overlay, asked: TimeRange, { from, to }: View): TimeRange | null {
  if (asked.from === null) return null;
  const step = Math.max(1, 2 ** Math.floor(Math.log2((to - from) / STEPS_PER_WIDTH)));
  const end = asked.to ?? (Math.floor(to / step) + 2) * step;
  const earlier = (time: number) => Math.max(0, daysBefore(time, DAYS[overlay]));
  return { from: earlier(asked.from), to: earlier(end) };
}

/**
 * Moves a line to the same times of day so many days later. Where the clocks change, an hour that one of the two days
 * does not have is left out.
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
