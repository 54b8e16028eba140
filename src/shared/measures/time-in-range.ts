import { gapsOf, type Placed } from './gaps.ts';

/** A line of values in ascending order of time in Unix milliseconds; null at a gap. */
export interface Line {
  readonly times: readonly number[];
  readonly mean: readonly (number | null)[];
}

/** A range in the unit of a line; null if there is no such bound. */
export interface RightRange {
  readonly low: number | null;
  readonly high: number | null;
  /** The times between which it applies, in Unix milliseconds; without limit if missing. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** A stretch of time in Unix milliseconds. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the line of a field's readings or of its steps, which are at their middle, with a gap wherever nothing was
 * measured.
 */
export function lineOf(
  { times, counts, stepMs, mean }: Placed & { readonly mean: readonly number[] },
  usualIntervalMs: number | null,
): Line {
  const gaps = gapsOf({ times, counts, stepMs }, usualIntervalMs);
  const middle = (stepMs ?? 0) / 2;
  const line: { times: number[]; mean: (number | null)[] } = { times: [], mean: [] };
  for (const [index, time] of times.entries()) {
    if (gaps[index - 1] === true) {
      line.times.push((times[index - 1]! + time) / 2 + middle);
      line.mean.push(null);
    }
    line.times.push(time + middle);
    line.mean.push(mean[index]!);
  }
  return line;
}

/**
 * Returns the share of a stretch of time in which a line is within every range that applies then, from 0 to 1; null if
 * nothing is measured while a range applies. Gaps count for neither side. Between two values the line is straight.
 */
export function timeInRange(line: Line, ranges: readonly RightRange[], { from, to }: Stretch): number | null {
  const ends = ranges.flatMap((range) => [range.from, range.to]).filter((at) => at !== undefined);
  const inner = ends.filter((at) => at > from && at < to);
  const bounds = [from, ...inner.toSorted((a, b) => a - b), to];
  let [known, inside] = [0, 0];
  for (const [index, end] of bounds.slice(1).entries()) {
    const part = { from: bounds[index]!, to: end };
    const now = ranges.filter((range) => (range.from ?? part.from) <= part.from && (range.to ?? part.to) >= part.to);
    if (now.length === 0) continue;
    const found = timeWithin(line, now, part);
    known += found.known;
    inside += found.inside;
  }
  return known === 0 ? null : inside / known;
}

/** Returns a share in whole per cent, with one decimal from 99 % on: only a value that is always in range has 100 %. */
export function percentOf(share: number): number {
  const percent = share * 100;
  if (percent >= 99) return Math.floor(percent * 10) / 10;
  return Math.round(percent);
}

/** Returns how many milliseconds a line is known, and how many of them it is within ranges that all apply. */
function timeWithin({ times, mean }: Line, ranges: readonly RightRange[], { from, to }: Stretch) {
  const low = Math.max(...ranges.map((range) => range.low ?? Number.NEGATIVE_INFINITY));
  const high = Math.min(...ranges.map((range) => range.high ?? Number.POSITIVE_INFINITY));
  let [known, inside] = [0, 0];
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

/** Returns the share of a straight line between two values that is within bounds. */
function shareOf(from: number, to: number, low: number, high: number): number {
  const [least, greatest] = from < to ? [from, to] : [to, from];
  if (least === greatest) return least >= low && least <= high ? 1 : 0;
  return Math.max(0, Math.min(greatest, high) - Math.max(least, low)) / (greatest - least);
}
