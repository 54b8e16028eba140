const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** How much past data a rate uses, in milliseconds. */
export const LOOK_BACK = 3 * DAY;
/** The least data for a forecast. */
const LEAST_SPAN = DAY;
const LEAST_POINTS = 12;
/** If the newest value is older than this, there is no forecast. */
export const STALE = 3 * HOUR;
/** Points nearer than this show noise and the change between day and night, and not a trend. */
const LEAST_APART = 6 * HOUR;
/** The number of parts of the data. Leaving them out one by one shows how sure the rate is. */
const BLOCKS = 6;
/**
 * This many standard errors cover 90 % of the cases, according to the backtest next to this file: days differ more than
 * the blocks of three days show.
 */
const WIDTH = 2.6;
/** The least difference between the rates of today and tomorrow, as a fraction of the rate. */
const LEAST_DOUBT = 0.15;
/** An interval with a larger ratio of its ends is useless. */
const MOST_UNSURE = 4;

/** A value and its time of measurement in Unix milliseconds. */
export interface Point {
  readonly at: number;
  readonly value: number;
}

/** The change per day, and the interval that contains it in 90 % of cases. */
export interface Rate {
  readonly perDay: number;
  readonly low: number;
  readonly high: number;
  /** It jumped twice or more, because somebody fills up water or doses acid. */
  readonly isJumpy: boolean;
}

/** The days until a value reaches a bound: at least and at most. */
export interface TimeLeft {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the rate at which a value changes, from the last three days; null if the data are not sufficient. It is the
 * median slope of pairs of points (Theil and Sen) without a jump between them; jumps come from filling up water or
 * dosing acid.
 */
export function rateOf(points: readonly Point[], now: number): Rate | null {
  const known = points.filter(({ at, value }) => at > now - LOOK_BACK && at <= now && Number.isFinite(value));
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined || known.length < LEAST_POINTS) return null;
  if (last.at - first.at < LEAST_SPAN || now - last.at > STALE) return null;
  const parts = betweenJumps(known);
  const slope = slopeOf(parts, null);
  if (slope === null) return null;
  const without = Array.from({ length: BLOCKS }, (_, block) => {
    const size = (last.at - first.at) / BLOCKS;
    return slopeOf(parts, { from: first.at + block * size, to: first.at + (block + 1) * size });
  }).filter((each) => each !== null);
  if (without.length < BLOCKS) return null;
  const mean = without.reduce((sum, each) => sum + each, 0) / without.length;
  const spread = without.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  // The jackknife: how much the slope changes without one block.
  const error = Math.sqrt(((BLOCKS - 1) / BLOCKS) * spread);
  const width = Math.max(WIDTH * error, LEAST_DOUBT * Math.abs(slope));
  return { perDay: slope * DAY, low: (slope - width) * DAY, high: (slope + width) * DAY, isJumpy: parts.length > 2 };
}

/**
 * Returns the time until a value that changes at a rate reaches a bound, in days; null if it is not sure that it moves
 * there, or if the interval is too wide to be useful.
 */
export function timeLeft(value: number, bound: number, { low, high }: Pick<Rate, 'low' | 'high'>): TimeLeft | null {
  const way = bound - value;
  const [slow, fast] = way < 0 ? [-high, -low] : [low, high];
  if (way === 0 || slow <= 0) return null;
  const [from, to] = [Math.abs(way) / fast, Math.abs(way) / slow];
  return to / from > MOST_UNSURE ? null : { from, to };
}

/**
 * Returns the time until a value leaves a range in the direction of its movement, in days; null if it is outside, if it
 * is not sure that it leaves, or if it jumps: a value that is dosed regularly comes back by itself.
 */
export function leavesIn(
  value: number,
  { low, high }: { readonly low: number | null; readonly high: number | null },
  rate: Rate,
): TimeLeft | null {
  const bound = rate.perDay < 0 ? low : high;
  const isInside = (low === null || value >= low) && (high === null || value <= high);
  return bound === null || !isInside || rate.isJumpy ? null : timeLeft(value, bound, rate);
}

/** Returns the points in parts, cut at jumps larger than its usual movement and noise. */
function betweenJumps(points: readonly Point[]): Point[][] {
  const steps = points.slice(1).map(({ value }, index) => Math.abs(value - points[index]!.value));
  const usual = median(steps);
  const range = Math.max(...points.map(({ value }) => value)) - Math.min(...points.map(({ value }) => value));
  const jump = Math.max(8 * usual, range / 5);
  const parts: Point[][] = [[]];
  points.forEach((point, index) => {
    const before = points[index - 1];
    // During a gap, the usual movement may be that large.
    const isNear = before !== undefined && point.at - before.at < LEAST_APART;
    if (isNear && Math.abs(point.value - before.value) > jump) parts.push([]);
    parts.at(-1)!.push(point);
  });
  return parts;
}

/**
 * Returns the median of the slopes of all pairs within parts, per millisecond, without the points of a block; null if
 * there are too few.
 */
function slopeOf(
  parts: readonly Point[][],
  left: { readonly from: number; readonly to: number } | null,
): number | null {
  const slopes: number[] = [];
  for (const part of parts) {
    const points = left === null ? part : part.filter(({ at }) => at < left.from || at >= left.to);
    for (let b = 1; b < points.length; b++) {
      for (let a = 0; a < b; a++) {
        const apart = points[b]!.at - points[a]!.at;
        if (apart >= LEAST_APART) slopes.push((points[b]!.value - points[a]!.value) / apart);
      }
    }
  }
  return slopes.length < LEAST_POINTS ? null : median(slopes);
}

function median(values: readonly number[]): number {
  // Without a function that compares, a typed array is sorted several times as fast.
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return 0;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
