import type { DeviceSummary, NewestValue } from '../../shared/owner-api/devices.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/**
 * A reading takes seconds to arrive. One that took longer was delayed, so its value is older than its arrival suggests.
 */
const LATE_MS = 5 * MINUTE;
/** A value entered by hand is stale after a day. */
const ENTERED_STALE_MS = DAY;
/** A sensor needs a check if its value has not changed at all for this long. */
const UNCHANGED_MS = DAY;

/**
 * Returns when a value was measured or entered, in Unix milliseconds; its arrival time if the device's clock is not
 * usable.
 */
export function measuredOrReceived({ measuredAt, receivedAt }: Pick<NewestValue, 'measuredAt' | 'receivedAt'>): number {
  return measuredAt ?? receivedAt;
}

/** Returns whether a value arrived long after it was measured. */
export function isLate({ measuredAt, receivedAt }: Pick<NewestValue, 'measuredAt' | 'receivedAt'>): boolean {
  return measuredAt !== null && receivedAt - measuredAt > LATE_MS;
}

/** Returns whether a value is too old. A sensor's value uses the device's own threshold, one entered by hand a day. */
export function isStale(value: NewestValue, device: Pick<DeviceSummary, 'silentAfterMs'>, now: number): boolean {
  return now - measuredOrReceived(value) > (value.isEntered ? ENTERED_STALE_MS : device.silentAfterMs);
}

/**
 * Returns when the newest of a device's values was measured, if that value came late and is stale; null otherwise. A
 * device that has just sent something may show old values.
 */
export function lateSince(device: Pick<DeviceSummary, 'newest' | 'silentAfterMs'>, now: number): number | null {
  let newest: NewestValue | null = null;
  for (const value of Object.values(device.newest)) {
    if (value !== null && (newest === null || measuredOrReceived(value) > measuredOrReceived(newest))) newest = value;
  }
  return newest !== null && isLate(newest) && isStale(newest, device, now) ? measuredOrReceived(newest) : null;
}

/** Values of one reading have the same age. A value that comes in every other reading needs no age of its own. */
const SAME_AGE_MS = MINUTE;

/**
 * Returns whether the page shows a value's age next to that of its device: the value was measured long before the
 * device's newest value, was entered by hand, came late, or has not changed for long.
 */
export function hasOwnAge(value: NewestValue, { newest }: Pick<DeviceSummary, 'newest'>): boolean {
  const times = Object.values(newest).flatMap((each) => (each === null ? [] : [measuredOrReceived(each)]));
  const isOlder = Math.max(...times) - measuredOrReceived(value) > SAME_AGE_MS;
  return isOlder || value.isEntered || isLate(value) || unchangedFor(value) !== null;
}

/**
 * Returns how long a sensor's value has not changed, in milliseconds; null if that is too short to show. `isLeast`: the
 * node did not look further back, so the span is a lower limit, in whole days.
 */
export function unchangedFor(value: NewestValue): { readonly span: number; readonly isLeast: boolean } | null {
  const { unchangedSince, isUnchangedLonger: isLeast } = value;
  if (unchangedSince === null || value.isEntered) return null;
  const span = measuredOrReceived(value) - unchangedSince;
  if (span < UNCHANGED_MS) return null;
  return { span: isLeast ? Math.floor(span / DAY) * DAY : span, isLeast };
}
