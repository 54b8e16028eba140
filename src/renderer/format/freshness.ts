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

/**
 * When the newest of a device's values was measured, where all of them came late and are older than they should be: a device
 * that was heard of just now may show what is long past. null: nothing of the kind.
 */
export function lateSince(device: Pick<DeviceSummary, 'newest' | 'silentAfterMs'>, now: number): number | null {
  let newest: NewestValue | null = null;
  for (const value of Object.values(device.newest)) {
    if (value !== null && (newest === null || measuredOrReceived(value) > measuredOrReceived(newest))) newest = value;
  }
  return newest !== null && isLate(newest) && isStale(newest, device, now) ? measuredOrReceived(newest) : null;
}

/** Values of one reading have one age; one that comes in every other reading is not worth a second. */
const SAME_AGE_MS = MINUTE;

/**
 * Whether a value's age is to be said beside that of its device: it was measured long before the device's newest value, was
 * entered by hand, came late, or has stayed the same for long.
 */
export function hasOwnAge(value: NewestValue, { newest }: Pick<DeviceSummary, 'newest'>): boolean {
  const times = Object.values(newest).flatMap((each) => (each === null ? [] : [measuredOrReceived(each)]));
  const isOlder = Math.max(...times) - measuredOrReceived(value) > SAME_AGE_MS;
  return isOlder || value.isEntered || isLate(value) || unchangedFor(value) !== null;
}

/**
 * How long a sensor's value has stayed the same, where that is long enough to be said; milliseconds. `isLeast`: nobody looked
 * further back, so whole days of it are what is known.
 */
export function unchangedFor(value: NewestValue): { readonly span: number; readonly isLeast: boolean } | null {
  const { unchangedSince, isUnchangedLonger: isLeast } = value;
  if (unchangedSince === null || value.isEntered) return null;
  const span = measuredOrReceived(value) - unchangedSince;
  if (span < UNCHANGED_MS) return null;
  return { span: isLeast ? Math.floor(span / DAY) * DAY : span, isLeast };
}
