/** The firmware posts once a minute: the usual interval of a device with too few readings. */
const FIRMWARE_INTERVAL_MS = 60_000;
const SILENT_AFTER_INTERVALS = 3;

/**
 * Returns the time after which a device is silent unless the owner set another, in milliseconds, from the usual time
 * between its readings.
 */
export function automaticThreshold(usualIntervalMs: number | null): number {
  return SILENT_AFTER_INTERVALS * (usualIntervalMs ?? FIRMWARE_INTERVAL_MS);
}
