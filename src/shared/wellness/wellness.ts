import type { Alert } from '../alerts/alert.ts';
import { levelOf, settledAlerts } from '../alerts/open-alerts.ts';
import type { DeviceSummary } from '../owner-api/devices.ts';
import { deviceStatus } from './status.ts';

/**
 * The state of a device in one word. `needsYou`: it has a fault that its owner has not acted on; `known`: it has a
 * fault that they acknowledged; `unwatched`: it sends readings, and no rule says which values are right.
 */
export type Wellness = 'needsYou' | 'known' | 'well' | 'unwatched' | 'waiting' | 'off' | 'foreign';

/** In the order of display. */
export const WELLNESSES: readonly Wellness[] = [
  ...(['needsYou', 'known', 'well', 'unwatched', 'waiting', 'off', 'foreign'] as const),
];

type Judged = Parameters<typeof deviceStatus>[0] & Pick<DeviceSummary, 'id' | 'clockNotSet'>;

/**
 * Returns the wellness of a device according to the live alerts of its node. `isWatched`: a rule says which of its
 * values are right; `known`: the time (Unix milliseconds of the node's clock) until which the page knows whether the
 * device was silent.
 */
export function wellnessOf(device: Judged, alerts: readonly Alert[], isWatched: boolean, known: number): Wellness {
  const status = deviceStatus(device, known);
  if (status === 'foreign') return 'foreign';
  if (status === 'inactive' || status === 'lost') return 'off';
  const settled = settledAlerts(alerts).filter((alert) => alert.device === device.id);
  const isSettled = (kind: Alert['kind']): boolean => settled.some((alert) => alert.kind === kind);
  const isOpen = levelOf(alerts, device.id)?.isOpen === true;
  if (isOpen || (status === 'silent' && !isSettled('silent')) || (device.clockNotSet && !isSettled('clockNotSet'))) {
    return 'needsYou';
  }
  if (settled.length > 0) return 'known';
  if (status === 'waiting') return 'waiting';
  return isWatched ? 'well' : 'unwatched';
}
