const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** How far back a rate looks, in milliseconds. */
export const LOOK_BACK = 3 * DAY;
/** The least that has to be known before anything is said. */
const LEAST_SPAN = DAY;
const LEAST_POINTS = 12;
/** A newest value that is older says nothing of tomorrow. */
export const STALE = 3 * HOUR;
/** Points nearer than this tell more of noise and of day and night than of a trend. */
const LEAST_APART = 6 * HOUR;
/** Parts of the data that are left out one after the other to see how sure the rate is. */
const BLOCKS = 6;
/** So many standard errors are 90 % of the cases; by the backtest beside this file, as days differ more than the blocks of three show. */
const WIDTH = 2.6;
/** The least part of a rate by which tomorrow differs from today. */
const LEAST_DOUBT = 0.15;
/** An interval whose ends lie further apart than this helps nobody. */
const MOST_UNSURE = 4;

/** A value and when it was measured, in Unix milliseconds. */
export interface Point {
  readonly at: number;
  readonly value: number;
}

/** Change per day, and the interval that holds it in 90 % of cases. */
export interface Rate {
  readonly perDay: number;
  readonly low: number;
  readonly high: number;
  /** It jumped twice or more: water is filled up, acid is dosed. */
  readonly isJumpy: boolean;
}

/** How many days are left until a value reaches a bound: at least and at most. */
export interface TimeLeft {
  readonly from: number;
  readonly to: number;
}

/**
 * The rate at which a value changes, from the last three days; null where the data do not carry one. It is the median slope of
 * pairs (Theil and Sen) that have no jump between them: water that is filled up, acid that is dosed.
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
  // The jackknife: what leaving out one block of them changes.
  const error = Math.sqrt(((BLOCKS - 1) / BLOCKS) * spread);
  const width = Math.max(WIDTH * error, LEAST_DOUBT * Math.abs(slope));
  return { perDay: slope * DAY, low: (slope - width) * DAY, high: (slope + width) * DAY, isJumpy: parts.length > 2 };
}

/**
 * How long until a value that changes at a rate reaches a bound, in days; null where it does not move there for sure, or where
 * the interval is too wide to be of use.
 */
export function timeLeft(value: number, bound: number, { low, high }: Pick<Rate, 'low' | 'high'>): TimeLeft | null {
  const way = bound - value;
  const [slow, fast] = way < 0 ? [-high, -low] : [low, high];
  if (way === 0 || slow <= 0) return null;
  const [from, to] = [Math.abs(way) / fast, Math.abs(way) / slow];
  return to / from > MOST_UNSURE ? null : { from, to };
}

/**
 * How long until a value leaves a range in the direction in which it moves, in days; null where it is not inside, does not leave it
 * for sure, or jumps: what is dosed again and again comes back by itself.
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

/** The points in parts, cut where the value jumps further than it drifts and wavers. */
function betweenJumps(points: readonly Point[]): Point[][] {
  const steps = points.slice(1).map(({ value }, index) => Math.abs(value - points[index]!.value));
  const usual = median(steps);
  const range = Math.max(...points.map(({ value }) => value)) - Math.min(...points.map(({ value }) => value));
  const jump = Math.max(8 * usual, range / 5);
  const parts: Point[][] = [[]];
  points.forEach((point, index) => {
    const before = points[index - 1];
    // Over a gap the drift itself may be that far.
    const isNear = before !== undefined && point.at - before.at < LEAST_APART;
    if (isNear && Math.abs(point.value - before.value) > jump) parts.push([]);
    parts.at(-1)!.push(point);
  });
  return parts;
}

/** The median of the slopes of all pairs within parts, per millisecond, without the points of a block; null: there are too few. */
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
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return 0;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
