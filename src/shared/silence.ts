/** The firmware posts once a minute: what is taken as usual of a device with too few readings to tell. */
const FIRMWARE_INTERVAL_MS = 60_000;
const SILENT_AFTER_INTERVALS = 3;

/** After how long a device is silent unless the owner says otherwise, in milliseconds; by the usual time between its readings. */
export function automaticThreshold(usualIntervalMs: number | null): number {
  return SILENT_AFTER_INTERVALS * (usualIntervalMs ?? FIRMWARE_INTERVAL_MS);
}
