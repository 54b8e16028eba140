import type { View } from '../view.ts';
import type { FieldData } from './chart-data.ts';

/** The bounds of a range in the scale of the chart; null: there is none. */
interface Bounds {
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * The share of the time in view in which the line of a chart lies within every one of these ranges, from 0 to 1; null where
 * nothing is measured. Gaps count for neither side.
 */
export function timeInRange(
  { times, mean }: Pick<FieldData, 'times' | 'mean'>,
  ranges: readonly Bounds[],
  { from, to }: View,
): number | null {
  const low = Math.max(...ranges.map((range) => range.low ?? Number.NEGATIVE_INFINITY));
  const high = Math.min(...ranges.map((range) => range.high ?? Number.POSITIVE_INFINITY));
  let known = 0;
  let inside = 0;
  for (let index = 1; index < times.length; index++) {
    const [start, end] = [times[index - 1]!, times[index]!];
    const [before, after] = [mean[index - 1], mean[index]];
    if (typeof before !== 'number' || typeof after !== 'number' || end <= start) continue;
    const [a, b] = [Math.max(start, from), Math.min(end, to)];
    if (a >= b) continue;
    const at = (time: number) => before + ((after - before) * (time - start)) / (end - start);
    known += b - a;
    inside += (b - a) * shareOf(at(a), at(b), low, high);
  }
  return known === 0 ? null : inside / known;
}

/** The share of a straight line from one value to another that lies within bounds. */
function shareOf(from: number, to: number, low: number, high: number): number {
  const [least, greatest] = from < to ? [from, to] : [to, from];
  if (least === greatest) return least >= low && least <= high ? 1 : 0;
  return Math.max(0, Math.min(greatest, high) - Math.max(least, low)) / (greatest - least);
}

/** A share in whole per cent, with a decimal near to all: only what is always in range is 100 %. */
export function percentOf(share: number): number {
  const percent = share * 100;
  if (percent >= 99) return Math.floor(percent * 10) / 10;
  return Math.round(percent);
}
