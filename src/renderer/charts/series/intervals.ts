import type { View } from '../view.ts';
import type { FieldData } from './chart-data.ts';

/** With fewer intervals than this, there is no usual interval. */
const FEW = 5;
/** If intervals differ by this factor, the mean of the readings may visibly differ from the mean over time. */
const MUCH = 2;
const MINUTE_MS = 60_000;

/** The time between readings, in milliseconds. */
export interface Intervals {
  readonly least: number;
  readonly greatest: number;
}

/** Returns the shortest and longest usual interval between the readings of lines; null if they do not differ much. */
export function differingIntervals(
  lines: readonly { readonly data: FieldData; readonly counted: View }[],
): Intervals | null {
  const each = lines.flatMap(({ data, counted }) => usualIntervals(data, counted) ?? []);
  if (lines.length < 2 || each.length === 0) return null;
  const least = Math.min(...each.map((found) => found.least));
  const greatest = Math.max(...each.map((found) => found.greatest));
  return greatest >= MUCH * least ? { least: rounded(least), greatest: rounded(greatest) } : null;
}

/**
 * Returns the shortest and longest interval of a line, without the outermost tenths. A device may change its interval.
 * Gaps do not count.
 */
function usualIntervals(data: FieldData, { from, to }: View): Intervals | null {
  const found: number[] = [];
  for (const [index, time] of data.times.entries()) {
    const count = data.count[index]!;
    const before = data.times[index - 1];
    if (count === 0 || before === undefined || data.count[index - 1] === 0 || before < from || time > to) continue;
    found.push((time - before) / count);
  }
  if (found.length < FEW) return null;
  found.sort((a, b) => a - b);
  const tenth = Math.floor(found.length / 10);
  return { least: found[tenth]!, greatest: found[found.length - 1 - tenth]! };
}

/** Rounds to minutes, as clocks and networks are off by seconds. */
function rounded(ms: number): number {
  return ms < 0.9 * MINUTE_MS ? ms : Math.round(ms / MINUTE_MS) * MINUTE_MS;
}
