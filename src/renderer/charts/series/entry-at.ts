/** A line with its gaps: parallel lists by ascending time; an entry without readings stands within each gap. */
export interface Line {
  /** Unix milliseconds: of a reading, or of the middle of a step. */
  readonly times: readonly number[];
  /** Readings behind each entry; 0 in a gap. */
  readonly count: readonly number[];
  /** Width of a step in milliseconds; null where each entry is one reading. */
  readonly stepMs: number | null;
}

/**
 * The entry that a line shows at a time, or null where it shows nothing. Between two that are connected it is the nearer
 * one; before the first, after the last and in a gap only one within `nearMs`, or whose step the time lies in.
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

/** The first index whose time is not before `time`; the length where there is none. */
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
