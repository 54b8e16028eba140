import type { Alert } from '../../../shared/alerts/alert.ts';

const STATES: Readonly<Record<Alert['state'], number>> = { firing: 0, acknowledged: 1, snoozed: 1, pending: 2 };

/** The alerts in the order of a list: firing ones first, critical ones first among them, then the latest first. */
export function worstFirst(alerts: readonly Alert[]): Alert[] {
  const rank = ({ state, severity }: Alert) => 2 * STATES[state] + (severity === 'critical' ? 0 : 1);
  return alerts.toSorted((a, b) => rank(a) - rank(b) || startOf(b) - startOf(a));
}

function startOf({ firedAt, since }: Alert): number {
  return firedAt ?? since;
}
