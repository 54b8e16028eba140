/** The parts of a reading that the rules below need; times are Unix milliseconds, `timestamp` is the device's own. */
export interface Arrival {
  readonly timestamp: bigint | number;
  readonly receivedAt: number;
}

/** 2001-01-01: no device of this protocol is older, and no device runs for 31 years. */
export const UPTIME_BELOW_MS = 978_307_200_000n;
const HOUR_MS = 3_600_000;
/**
 * A reading that is dated up to this much after its arrival counts as present: a clock drifts by some seconds a day
 * between synchronizations, and this node's clock may be off as much. A later date is not credible.
 */
export const STRAY_AHEAD_MS = 5 * 60_000;
/** A reading that is dated further ahead of its arrival has no valid time. */
export const AHEAD_MS = BigInt(HOUR_MS);
const BEHIND_MS = BigInt(24 * HOUR_MS);
const LOOKED_AT = 20;
const LIVE_SLACK_MS = 5000;
/** Readings that arrive together say nothing about the device's interval. */
const TOGETHER_MS = 1000;
const MIN_GAPS = 3;
/** Measurements are regular if this share of their gaps differs from the usual gap by at most `REGULAR_WITHIN`. */
const REGULAR_SHARE = 0.75;
const REGULAR_WITHIN = 0.2;

/**
 * Returns whether a device's clock is not set. It decides by the latest 20 readings in order of seq (`latest`, newest
 * first): most of their timestamps must be wrong. A timestamp is wrong in three cases:
 * - It is like an uptime: before 2001.
 * - It lies more than an hour after its arrival.
 * - It lies more than a day before its arrival although the reading was posted live: since the previous reading, the
 *   device's clock and ours advanced by the same time (to a tenth and five seconds), by more than a second. Old readings
 *   of a backlog or a backfill arrive faster than they were measured, so they prove nothing against the clock.
 */
export function isClockUnset(latest: readonly Arrival[]): boolean {
  const looked = latest.slice(0, LOOKED_AT);
  const wrong = looked.filter((reading, index) => isWrong(reading, latest[index + 1]));
  return wrong.length * 2 > looked.length;
}

/** Returns whether a reading is dated ahead of its arrival by more than usual clock errors. */
export function isDatedAhead({ timestamp, receivedAt }: Arrival): boolean {
  return timestamp > BigInt(receivedAt + STRAY_AHEAD_MS);
}

/**
 * Returns whether a reading's timestamp indicates a clock that is not set. `before` is the previous reading in order of
 * seq.
 */
export function isWrong({ timestamp, receivedAt }: Arrival, before: Arrival | undefined): boolean {
  const arrived = BigInt(receivedAt);
  if (timestamp < UPTIME_BELOW_MS || timestamp > arrived + AHEAD_MS) return true;
  return timestamp < arrived - BEHIND_MS && before !== undefined && isLive({ timestamp, receivedAt }, before);
}

/**
 * Returns whether a reading was posted live: since the previous reading, the device's clock and ours advanced by the
 * same time.
 */
export function isLive({ timestamp, receivedAt }: Arrival, before: Arrival): boolean {
  const theirs = Number(timestamp) - Number(before.timestamp);
  const ours = receivedAt - before.receivedAt;
  return ours > TOGETHER_MS && Math.abs(theirs - ours) <= LIVE_SLACK_MS + ours / 10;
}

/**
 * Returns the usual time between a device's arrivals in milliseconds: the median of the gaps between its latest
 * readings, without gaps under a second and gaps of a backlog, which arrives faster than it was measured. With fewer
 * than three gaps, it uses the readings' timestamps if these are regular, else it returns null.
 */
export function usualInterval(latest: readonly Arrival[]): number | null {
  const arrived = latest.toSorted((a, b) => a.receivedAt - b.receivedAt || Number(a.timestamp) - Number(b.timestamp));
  const gaps = arrived.flatMap((reading, index) => {
    const before = arrived[index - 1];
    if (before === undefined) return [];
    const gap = reading.receivedAt - before.receivedAt;
    return gap < TOGETHER_MS || isBacklog(reading, before, gap) ? [] : [gap];
  });
  return gaps.length < MIN_GAPS ? measuredInterval(latest) : median(gaps);
}

function isBacklog({ timestamp }: Arrival, before: Arrival, gap: number): boolean {
  return Math.abs(Number(timestamp) - Number(before.timestamp)) > 2 * gap + LIVE_SLACK_MS;
}

/** Returns the usual time between measurements by the device's clock; null if they are not regular. */
function measuredInterval(latest: readonly Arrival[]): number | null {
  const times = latest.map(({ timestamp }) => Number(timestamp)).sort((a, b) => a - b);
  const gaps = times.map((time, index) => time - (times[index - 1] ?? time)).filter((gap) => gap >= TOGETHER_MS);
  if (gaps.length < MIN_GAPS) return null;
  const usual = median(gaps);
  const regular = gaps.filter((gap) => Math.abs(gap - usual) <= usual * REGULAR_WITHIN);
  return regular.length >= gaps.length * REGULAR_SHARE ? usual : null;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : Math.round((sorted[middle - 1]! + sorted[middle]!) / 2);
}
