import type { DeviceSummary, NewestValue } from '../../shared/owner-api/devices.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** A reading takes seconds to arrive; one that took longer waited somewhere, and is older than it looks. */
const LATE_MS = 5 * MINUTE;
/** A value entered by hand is looked after once a day. */
const ENTERED_STALE_MS = DAY;
/** A sensor whose value has stayed the same to the last digit for so long is worth a look. */
const UNCHANGED_MS = DAY;

/** When a value was measured or entered; where the device's clock says nothing, when it arrived. Unix milliseconds. */
export function measuredOrReceived({ measuredAt, receivedAt }: Pick<NewestValue, 'measuredAt' | 'receivedAt'>): number {
  return measuredAt ?? receivedAt;
}

/** Whether a value arrived long after it was measured. */
export function isLate({ measuredAt, receivedAt }: Pick<NewestValue, 'measuredAt' | 'receivedAt'>): boolean {
  return measuredAt !== null && receivedAt - measuredAt > LATE_MS;
}

/** Whether a value is older than it should be: a sensor's by the device's own threshold, one entered by hand by a day. */
export function isStale(value: NewestValue, device: Pick<DeviceSummary, 'silentAfterMs'>, now: number): boolean {
  return now - measuredOrReceived(value) > (value.isEntered ? ENTERED_STALE_MS : device.silentAfterMs);
}

/** How long a sensor's value has stayed the same, where that is long enough to be said; milliseconds. */
export function unchangedFor(value: NewestValue): number | null {
  const { unchangedSince } = value;
  if (unchangedSince === null || value.isEntered) return null;
  const span = measuredOrReceived(value) - unchangedSince;
  return span >= UNCHANGED_MS ? span : null;
}
