import type { History } from '../../../shared/owner-api/readings.ts';
import type { RangeSpan } from '../../../shared/owner-data/cycle-states.ts';

/**
 * The part of a field's values between two times that lies within a range, from 0 to 1; null without a value. A step of sums counts
 * by its mean, with as many values as it has.
 */
export function shareInRange({ times, fields }: Pick<History, 'times' | 'fields'>, span: RangeSpan): number | null {
  const { mean, count } = fields[span.field];
  let [inside, all] = [0, 0];
  for (const [index, time] of times.entries()) {
    const value = mean[index];
    if (value == null || time < span.from || (span.to !== null && time >= span.to)) continue;
    all += count[index]!;
    if (value >= (span.low ?? value) && value <= (span.high ?? value)) inside += count[index]!;
  }
  return all === 0 ? null : inside / all;
}
