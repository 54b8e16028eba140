import type { DeviceSummary } from '../../../shared/owner-api.ts';

/** What the firmware keeps while nobody confirms: the oldest go first. */
const KEPT_READINGS = 50;
/** Of a device that has not told yet how often it measures. */
const USUAL_INTERVAL_MS = 60_000;

/** How many devices of the owner lost readings in a span of time, and about how many readings. */
export function missedIn(devices: readonly DeviceSummary[], spanMs: number): { devices: number; readings: number } {
  const lost = devices
    .filter(({ mine, notes, lastReceivedAt }) => mine && notes.status === 0 && lastReceivedAt !== null)
    .map(({ usualIntervalMs }) => Math.floor(spanMs / (usualIntervalMs || USUAL_INTERVAL_MS)) - KEPT_READINGS)
    .filter((readings) => readings > 0);
  return { devices: lost.length, readings: lost.reduce((sum, readings) => sum + readings, 0) };
}
