/** A gap is longer than this many intervals of the readings around it, so that one lost reading is not a gap. */
const GAP_INTERVALS = 3;
/** A step has the time of its beginning, so a step is missing only if it is left out altogether. */
const GAP_STEPS = 1.5;
/** How many distances on each side decide what is usual there. */
const NEIGHBOURS = 9;
/** The usual distance is one that several neighbours reach, so that two outages nearby do not count as usual. */
const USUAL_RANK = 3;

/** The data of one field: parallel lists in ascending order of time. */
export interface Placed {
  /** Unix milliseconds of readings or of steps. */
  readonly times: readonly number[];
  /** The number of readings in each entry; at least 1. */
  readonly counts: readonly number[];
  /** The width of a step in milliseconds; null if each entry is one reading. */
  readonly stepMs: number | null;
}

/**
 * Returns whether nothing was measured between each entry and the next: `result[i]` is about entries i and i + 1. Only
 * the nine distances on either side decide, and the larger usual distance counts, because a device's interval changes
 * during its life: such a change between two steady intervals is not a gap. `usualIntervalMs` helps if there are too
 * few distances.
 */
export function gapsOf({ times, counts, stepMs }: Placed, usualIntervalMs: number | null): boolean[] {
  const distances = times.slice(1).map((time, index) => time - times[index]!);
  // If a step has several readings, they are closer to each other than the steps.
  const intervals = distances.map((distance, index) => (2 * distance) / (counts[index]! + counts[index + 1]!));
  const shortest = stepMs === null ? 0 : stepMs * GAP_STEPS;
  return distances.map((distance, index) => {
    const before = intervals.slice(Math.max(0, index - NEIGHBOURS), index);
    const after = intervals.slice(index + 1, index + 1 + NEIGHBOURS);
    const usual = Math.max(usualOf(before), usualOf(after)) || guess([...before, ...after], usualIntervalMs, distance);
    return distance > Math.max(usual * GAP_INTERVALS, shortest);
  });
}

/** Returns the third longest of the intervals; 0 if there are fewer, which decides nothing. */
function usualOf(intervals: readonly number[]): number {
  if (intervals.length < USUAL_RANK) return 0;
  return intervals.toSorted((a, b) => b - a)[USUAL_RANK - 1]!;
}

/** Returns the interval that counts as usual if there are too few neighbours. */
function guess(neighbours: readonly number[], usualIntervalMs: number | null, distance: number): number {
  if (neighbours.length === 0) return usualIntervalMs ?? distance;
  return Math.max(usualIntervalMs ?? 0, Math.min(...neighbours));
}
