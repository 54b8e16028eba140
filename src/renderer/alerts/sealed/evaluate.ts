import type { Alert } from '../../../shared/alerts/alert.ts';
import { RangeMachine } from '../../../shared/alerts/range-machine.ts';
import type { RangeRule } from '../../../shared/alerts/rule.ts';

/** An opened value and its times, in Unix milliseconds. */
export interface OpenedValue {
  readonly timestamp: number;
  readonly receivedAt: number;
  readonly value: number;
}

/**
 * An alert that the page found in opened values. It is like an alert of the node, but nobody gets a message about it.
 */
export type SealedFinding = Pick<
  Alert,
  'kind' | 'device' | 'field' | 'store' | 'severity' | 'state' | 'since' | 'side' | 'value' | 'extreme' | 'limit'
>;

/** A reading that arrives later than this after its measurement has waited somewhere. */
const ON_TIME_MS = 5 * 60_000;

/**
 * Returns the state of a rule after opened values, the oldest first; null if all values are right. `isClockUnset`: uses
 * the arrival times, as the device's clock is not set.
 */
export function evaluate(
  rule: RangeRule,
  device: string,
  values: readonly OpenedValue[],
  isClockUnset: boolean,
): SealedFinding | null {
  const machine = new RangeMachine(rule);
  let newestAt = Number.NEGATIVE_INFINITY;
  for (const { timestamp, receivedAt, value } of values) {
    const measuredAt = isClockUnset ? receivedAt : Math.min(timestamp, receivedAt);
    const lag = receivedAt - measuredAt;
    const lateMs = Math.max(0, newestAt - measuredAt, lag > ON_TIME_MS ? lag : 0);
    newestAt = Math.max(newestAt, measuredAt);
    machine.take({ measuredAt, value, lateMs });
  }
  const { phase, side, since, value, extreme } = machine.state;
  if (phase === 'inside') return null;
  return {
    ...{ kind: 'range', device, field: rule.field, store: null, severity: rule.severity },
    ...{ state: phase, since, side, value, extreme, limit: side === 'low' ? rule.low : rule.high },
  };
}
