import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';

/** How many unconfirmed readings the firmware keeps. It drops the oldest ones. */
const KEPT_READINGS = 50;
/** The assumed interval of a device that has not sent enough readings to know it, in milliseconds. */
const USUAL_INTERVAL_MS = 60_000;

/** Returns how many of the owner's devices lost readings during a time span, and about how many readings they lost. */
export function missedIn(devices: readonly DeviceSummary[], spanMs: number): { devices: number; readings: number } {
  const lost = devices
    .filter(({ mine, notes, lastReceivedAt }) => mine && notes.status === 0 && lastReceivedAt !== null)
    .map(({ usualIntervalMs }) => Math.floor(spanMs / (usualIntervalMs || USUAL_INTERVAL_MS)) - KEPT_READINGS)
    .filter((readings) => readings > 0);
  return { devices: lost.length, readings: lost.reduce((sum, readings) => sum + readings, 0) };
}
