import type { Alert } from './alert.ts';

/**
 * The alerts that wait for their owner: they fire, and nobody has acknowledged or snoozed them. Bell, overview, tray and
 * lists all count these.
 */
export function openAlerts(alerts: readonly Alert[]): Alert[] {
  return alerts.filter(({ state }) => state === 'firing');
}

/** The alerts that fire but that their owner has acknowledged or snoozed. */
export function settledAlerts(alerts: readonly Alert[]): Alert[] {
  return alerts.filter(({ state }) => state === 'acknowledged' || state === 'snoozed');
}

/** How it is with a device by its alerts. */
export interface AlertLevel {
  readonly severity: Alert['severity'];
  /** Whether one of that severity waits for the owner. */
  readonly isOpen: boolean;
}

/** The worst of a device's alerts, open ones before settled ones; null where none fires. */
export function levelOf(alerts: readonly Alert[], device: string): AlertLevel | null {
  const concerned = alerts.filter((alert) => alert.device === device);
  for (const [some, isOpen] of [
    [openAlerts(concerned), true],
    [settledAlerts(concerned), false],
  ] as const) {
    if (some.length === 0) continue;
    return { severity: some.some(({ severity }) => severity === 'critical') ? 'critical' : 'warning', isOpen };
  }
  return null;
}

const STATES: Readonly<Record<Alert['state'], number>> = { firing: 0, acknowledged: 1, snoozed: 1, pending: 2 };

/** The alerts in the order of a list: firing ones first, critical ones first among them, then the latest first. */
export function worstFirst(alerts: readonly Alert[]): Alert[] {
  const rank = ({ state, severity }: Alert) => 2 * STATES[state] + (severity === 'critical' ? 0 : 1);
  return alerts.toSorted((a, b) => rank(a) - rank(b) || startOf(b) - startOf(a));
}

function startOf({ firedAt, since }: Alert): number {
  return firedAt ?? since;
}
