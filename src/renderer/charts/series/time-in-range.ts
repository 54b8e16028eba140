import type { View } from '../view.ts';
import type { FieldData } from './chart-data.ts';

/** The bounds of a range in the scale of the chart; null: there is none. */
interface Bounds {
  readonly low: number | null;
  readonly high: number | null;
  /** The times between which it holds, in Unix milliseconds; missing: there is no such end. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/**
 * The share of the time in view in which the line of a chart lies within every one of the ranges that hold then, from 0 to 1;
 * null where nothing is measured. Gaps count for neither side, nor does time without a range.
 */
export function timeInRange(
  data: Pick<FieldData, 'times' | 'mean'>,
  ranges: readonly Bounds[],
  { from, to }: View,
): number | null {
  const ends = ranges.flatMap((range) => [range.from, range.to]).filter((time) => time !== undefined);
  const inner = [...new Set(ends)].filter((time) => time > from && time < to).toSorted((a, b) => a - b);
  const cuts = [from, ...inner, to];
  let known = 0;
  let inside = 0;
  for (let index = 1; index < cuts.length; index++) {
    const [begin, end] = [cuts[index - 1]!, cuts[index]!];
    const holding = ranges.filter((range) => (range.from ?? begin) <= begin && (range.to ?? end) >= end);
    if (holding.length === 0) continue;
    const found = measured(data, holding, { from: begin, to: end });
    known += found.known;
    inside += found.inside;
  }
  return known === 0 ? null : inside / known;
}

/** For how long the line is known in a view, and for how long it is within all ranges, in milliseconds. */
function measured(
  { times, mean }: Pick<FieldData, 'times' | 'mean'>,
  ranges: readonly Bounds[],
  { from, to }: View,
): { readonly known: number; readonly inside: number } {
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
  return { known, inside };
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
