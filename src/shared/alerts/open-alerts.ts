import type { Alert } from './alert.ts';

/**
 * Returns the alerts that wait for the owner: they fire, and nobody has acknowledged or snoozed them. The bell, the
 * overview, the tray and the lists all count these.
 */
export function openAlerts(alerts: readonly Alert[]): Alert[] {
  return alerts.filter(({ state }) => state === 'firing');
}

/** Returns the firing alerts that the owner has acknowledged or snoozed. */
export function settledAlerts(alerts: readonly Alert[]): Alert[] {
  return alerts.filter(({ state }) => state === 'acknowledged' || state === 'snoozed');
}

/** The state of a device according to its alerts. */
export interface AlertLevel {
  readonly severity: Alert['severity'];
  /** Whether an alert of that severity waits for the owner. */
  readonly isOpen: boolean;
}

/** Returns the worst of a device's alerts, open ones before settled ones; null if none fires. */
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

/** Returns the alerts in the order of a list: firing ones first, then critical ones, then the latest. */
export function worstFirst(alerts: readonly Alert[]): Alert[] {
  const rank = ({ state, severity }: Alert) => 2 * STATES[state] + (severity === 'critical' ? 0 : 1);
  return alerts.toSorted((a, b) => rank(a) - rank(b) || startOf(b) - startOf(a));
}

function startOf({ firedAt, since }: Alert): number {
  return firedAt ?? since;
}
