import { type FieldScale, shownBounds } from '../../../shared/measures/field-scale.ts';
import { gapsOf } from '../../../shared/measures/gaps.ts';
import type { History } from '../../../shared/owner-api/readings.ts';
import type { OpenedCounts, OpenedHistory } from '../../opening/merge-opened.ts';
import type { View } from '../view.ts';

/**
 * One field of a history, in the format of a chart: parallel lists in ascending order of time. Each gap has an entry of
 * nulls, so that no line crosses it.
 */
export interface FieldData {
  /** Unix milliseconds: of a reading, or of the middle of a step. */
  readonly times: number[];
  readonly mean: (number | null)[];
  readonly min: (number | null)[];
  readonly max: (number | null)[];
  /** The number of readings of each entry; 0 in a gap. */
  readonly count: number[];
  /** The width of a step in milliseconds; null if each entry is one reading. */
  readonly stepMs: number | null;
  /** The sealed values, which are not in the lists: their times and counts. */
  readonly sealed: readonly { readonly time: number; readonly count: number }[];
  /** The values of the range that were sealed: how many were opened, and why others do not open. */
  readonly openings: OpenedCounts;
}

/** A summary of the values of a span. Each reading has the same weight in the mean. */
export interface FieldSummary {
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly count: number;
}

/** uPlot's arithmetic overflows beyond this. No sensor sends such values, but a public device may send anything. */
const DRAWABLE = 1e100;

/**
 * Extracts one field of a history, in its displayed scale. `usualIntervalMs` decides what a gap is if there are too few
 * values to tell.
 */
export function fieldData(
  history: Pick<History, 'times' | 'stepMs'> & Pick<OpenedHistory, 'fields'> & Partial<Pick<OpenedHistory, 'openings'>>,
  scale: FieldScale,
  usualIntervalMs: number | null,
): FieldData {
  const { field } = scale;
  const series = history.fields[field];
  const { stepMs } = history;
  const used: number[] = [];
  const middle = (stepMs ?? 0) / 2;
  const sealed: { time: number; count: number }[] = [];
  history.times.forEach((time, index) => {
    const count = series.sealed[index] ?? 0;
    if (count > 0) sealed.push({ time: time + middle, count });
    if (isDrawable(series.mean[index]) && isDrawable(series.min[index]) && isDrawable(series.max[index])) {
      used.push(index);
    }
  });
  const times = used.map((index) => history.times[index]!);
  const counts = used.map((index) => series.count[index]!);
  const gaps = gapsOf({ times, counts, stepMs }, usualIntervalMs);
  const openings = history.openings?.[field] ?? { opened: 0, failed: {} };
  const data: FieldData = { times: [], mean: [], min: [], max: [], count: [], stepMs, sealed, openings };
  for (const [place, index] of used.entries()) {
    const time = times[place]! + middle;
    if (gaps[place - 1] === true) push(data, (data.times.at(-1)! + time) / 2, null, 0);
    const { min, max } = shownBounds(scale, series.min[index]!, series.max[index]!);
    push(data, time, [scale.toShown(series.mean[index]!), min, max], counts[place]!);
  }
  return data;
}

function push(
  data: FieldData,
  time: number,
  values: readonly [mean: number, min: number, max: number] | null,
  count: number,
) {
  data.times.push(time);
  data.mean.push(values?.[0] ?? null);
  data.min.push(values?.[1] ?? null);
  data.max.push(values?.[2] ?? null);
  data.count.push(count);
}

/**
 * Summarises the entries in view; null if there are none. A history may start before a moving view, and its newest step
 * ends after it. A step counts if its middle is after the start of the view and it begins before the view's end.
 */
export function summarise(data: FieldData, { from, to }: View): FieldSummary | null {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let mean = 0;
  let count = 0;
  for (const [index, time] of data.times.entries()) {
    const weight = data.count[index]!;
    if (weight === 0 || !isIn(data, time, from, to)) continue;
    min = Math.min(min, data.min[index]!);
    max = Math.max(max, data.max[index]!);
    count += weight;
    // Not a sum: it would overflow for large values.
    mean += (data.mean[index]! - mean) * (weight / count);
  }
  return count === 0 ? null : { min, max, mean, count };
}

/** The part of the values that a summary covers: the opened ones, or the plain ones if none was opened. */
export type SummaryPart = 'opened' | 'plain';

/**
 * Returns which values of a field a summary covers; null for all of them. `sealed` is the number of values that are
 * still sealed.
 */
export function partOf({ openings }: Pick<FieldData, 'openings'>, sealed: number): SummaryPart | null {
  if (sealed === 0) return null;
  return openings.opened > 0 ? 'opened' : 'plain';
}

/** Returns how many sealed values are in view. */
export function sealedIn(data: FieldData, { from, to }: View): number {
  return data.sealed.reduce((total, { time, count }) => (isIn(data, time, from, to) ? total + count : total), 0);
}

function isIn({ stepMs }: FieldData, time: number, from: number, to: number): boolean {
  return time >= from && time - (stepMs ?? 0) / 2 <= to;
}

function isDrawable(value: number | null | undefined): value is number {
  return typeof value === 'number' && Math.abs(value) <= DRAWABLE;
}
