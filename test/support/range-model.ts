import type { Bounds, Change, RangeReading, Side } from '../../src/shared/alerts/range-machine.ts';

const MINUTE = 60_000;

/**
 * Returns the changes of a plain model of the rule, over all readings so far. It ignores a reading that is late by more
 * than the rule's time. When a newest reading is outside, the values have been outside since the first of the unbroken
 * series of readings on its side before it. `barrier` is the earliest time that counts: a late reading that was not
 * outside moves it to the newest reading of that moment. `from` is the time of the newest reading that the machine got
 * without its value.
 */
export function rangeModel(
  { low, high, margin, forMinutes }: Bounds,
  readings: readonly RangeReading[],
  from = Number.NEGATIVE_INFINITY,
): string[] {
  const sideOf = (value: number): Side | null =>
    low !== null && value < low ? 'low' : high !== null && value > high ? 'high' : null;
  const seen: { at: number; side: Side | null }[] = [];
  let phase: 'inside' | 'pending' | 'firing' = 'inside';
  let current: Side | null = null;
  let barrier = from + 1;
  const since = () => {
    const backwards = seen.filter(({ at }) => at >= barrier).sort((a, b) => b.at - a.at);
    const end = backwards.findIndex(({ side }) => side !== current);
    return backwards.at(end === -1 ? -1 : end - 1)!.at;
  };
  return readings.map(({ measuredAt: at, value, lateMs }) => {
    const side = sideOf(value);
    const newest = Math.max(...seen.map((each) => each.at), from);
    if (at < newest || at <= from) {
      if (lateMs > forMinutes * MINUTE) return '';
      if (phase === 'pending' && side !== current && at >= since()) barrier = newest;
      seen.push({ at, side });
      return '';
    }
    seen.push({ at, side });
    const changes: Change[] = [];
    const isBack = current === 'low' ? value >= low! + margin : current === 'high' ? value <= high! - margin : false;
    if (phase === 'firing' && side !== current && (side !== null || isBack)) {
      changes.push('ended');
      phase = 'inside';
    } else if (phase === 'pending' && side !== current) {
      changes.push('dropped');
      phase = 'inside';
    }
    if (phase === 'inside') current = side;
    if (phase === 'inside' && side !== null) {
      changes.push('began');
      phase = 'pending';
    }
    if (phase === 'pending' && at - since() >= forMinutes * MINUTE && lateMs <= forMinutes * MINUTE) {
      changes.push('fired');
      phase = 'firing';
    }
    return changes.join();
  });
}
