/** A line with its gaps: parallel lists in ascending order of time. Each gap has an entry without readings. */
export interface Line {
  /** Unix milliseconds: of a reading, or of the middle of a step. */
  readonly times: readonly number[];
  /** The number of readings of each entry; 0 in a gap. */
  readonly count: readonly number[];
  /** The width of a step in milliseconds; null if each entry is one reading. */
  readonly stepMs: number | null;
}

/**
 * Returns the entry of a line at a time; null if there is none. Between two connected entries it is the nearer one.
 * Before the first, after the last and in a gap, it is an entry within `nearMs`, or one whose step contains the time.
 */
export function entryAt({ times, count, stepMs }: Line, time: number, nearMs: number): number | null {
  const right = firstFrom(times, time);
  const left = right - 1;
  const isEntry = (index: number) => (count[index] ?? 0) > 0;
  const toLeft = isEntry(left) ? time - times[left]! : Number.POSITIVE_INFINITY;
  const toRight = isEntry(right) ? times[right]! - time : Number.POSITIVE_INFINITY;
  const nearest = toRight <= toLeft ? right : left;
  const distance = Math.min(toLeft, toRight);
  if (Math.max(toLeft, toRight) < Number.POSITIVE_INFINITY) return nearest;
  return distance <= Math.max(nearMs, (stepMs ?? 0) / 2) ? nearest : null;
}

/** Returns the first index whose time is not before `time`; the length if there is none. */
function firstFrom(times: readonly number[], time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle]! < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
