/** A gap is longer than so many intervals of the readings around it: one reading lost on the way is none. */
const GAP_INTERVALS = 3;
/** A step counts from its beginning, so only one that is left out altogether is missing. */
const GAP_STEPS = 1.5;
/** How many distances on each side tell what is usual there. */
const NEIGHBOURS = 9;
/** The usual distance is one that several of the neighbours reach, so that two outages nearby don't pass for it. */
const USUAL_RANK = 3;

/** The data of one field: parallel lists by ascending time. */
export interface Placed {
  /** Unix milliseconds of readings, or of steps. */
  readonly times: readonly number[];
  /** Readings behind each entry; at least 1. */
  readonly counts: readonly number[];
  /** Width of a step in milliseconds; null where each entry is one reading. */
  readonly stepMs: number | null;
}

/**
 * Whether nothing was measured between each entry and the next: `result[i]` is about entries i and i + 1. Judged by the
 * nine distances on either side alone, the wider side counting, because a device's interval changes over its life: what
 * is steady before such a change and after it has no gap. `usualIntervalMs` helps where there are too few to tell by.
 */
export function gapsOf({ times, counts, stepMs }: Placed, usualIntervalMs: number | null): boolean[] {
  const distances = times.slice(1).map((time, index) => time - times[index]!);
  // Several readings in a step: they are that much closer to each other than the steps are.
  const intervals = distances.map((distance, index) => (2 * distance) / (counts[index]! + counts[index + 1]!));
  const shortest = stepMs === null ? 0 : stepMs * GAP_STEPS;
  return distances.map((distance, index) => {
    const before = intervals.slice(Math.max(0, index - NEIGHBOURS), index);
    const after = intervals.slice(index + 1, index + 1 + NEIGHBOURS);
    const usual = Math.max(usualOf(before), usualOf(after)) || guess([...before, ...after], usualIntervalMs, distance);
    return distance > Math.max(usual * GAP_INTERVALS, shortest);
  });
}

/** The third longest of a stretch; 0 where there are fewer, which says nothing. */
function usualOf(intervals: readonly number[]): number {
  if (intervals.length < USUAL_RANK) return 0;
  return intervals.toSorted((a, b) => b - a)[USUAL_RANK - 1]!;
}

/** The interval that counts as usual if there are too few neighbours. */
function guess(neighbours: readonly number[], usualIntervalMs: number | null, distance: number): number {
  if (neighbours.length === 0) return usualIntervalMs ?? distance;
  return Math.max(usualIntervalMs ?? 0, Math.min(...neighbours));
}
