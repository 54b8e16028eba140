import { type FieldScale, shownBounds } from '../../../shared/measures/field-scale.ts';
import { gapsOf } from '../../../shared/measures/gaps.ts';
import type { History } from '../../../shared/owner-api/readings.ts';
import type { OpenedCounts, OpenedHistory } from '../../opening/merge-opened.ts';
import type { View } from '../view.ts';

/**
 * One field of a history as a chart takes it: parallel lists by ascending time, with an entry of nulls within each gap,
 * so that no line is drawn across it.
 */
export interface FieldData {
  /** Unix milliseconds: of a reading, or of the middle of a step. */
  readonly times: number[];
  readonly mean: (number | null)[];
  readonly min: (number | null)[];
  readonly max: (number | null)[];
  /** How many readings stand behind each entry; 0 in a gap. */
  readonly count: number[];
  /** Width of a step in milliseconds; null where each entry is one reading. */
  readonly stepMs: number | null;
  /** Sealed values, which are not in the lists: how many at which time. */
  readonly sealed: readonly { readonly time: number; readonly count: number }[];
  /** Values of the range that came sealed: how many of them were opened, and why others do not open. */
  readonly openings: OpenedCounts;
}

/** The summary of the values of a stretch of time; the mean weighs each reading alike. */
export interface FieldSummary {
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly count: number;
}

/** uPlot's arithmetic overflows beyond; no sensor comes near, but a public device may send anything. */
const DRAWABLE = 1e100;

/**
 * Takes one field out of a history, in the scale in which it is shown; `usualIntervalMs` tells gaps where there are too
 * few values to tell by.
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
 * Sums up the entries in view; null where there are none. A history reaches back further than a view that moves along,
 * and its newest step ends after it: a step counts where its middle comes after the beginning, and its own beginning
 * before the end.
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
    // Not a sum: of large values it would overflow.
    mean += (data.mean[index]! - mean) * (weight / count);
  }
  return count === 0 ? null : { min, max, mean, count };
}

/** A summary of what was opened, or, where nothing was, of what came in plain. */
export type SummaryPart = 'opened' | 'plain';

/** Which values of a field a summary covers; null for all of them. `sealed`: how many are still sealed. */
export function partOf({ openings }: Pick<FieldData, 'openings'>, sealed: number): SummaryPart | null {
  if (sealed === 0) return null;
  return openings.opened > 0 ? 'opened' : 'plain';
}

/** How many sealed values are in view. */
export function sealedIn(data: FieldData, { from, to }: View): number {
  return data.sealed.reduce((total, { time, count }) => (isIn(data, time, from, to) ? total + count : total), 0);
}

function isIn({ stepMs }: FieldData, time: number, from: number, to: number): boolean {
  return time >= from && time - (stepMs ?? 0) / 2 <= to;
}

function isDrawable(value: number | null | undefined): value is number {
  return typeof value === 'number' && Math.abs(value) <= DRAWABLE;
}
