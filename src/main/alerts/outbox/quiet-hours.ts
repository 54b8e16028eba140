import type { AlertOptions } from '../../../shared/alerts/channel.ts';
import { byHours } from '../../../shared/owner-data/day-parts.ts';

export type QuietHours = NonNullable<AlertOptions['quietHours']>;

const MINUTE_MS = 60_000;
/** A day has 25 hours if the clock is set back, and some countries once left out a whole day. */
const MOST_MINUTES = 2 * 24 * 60;

/**
 * Returns when the quiet hours around a time end, by the local time in a time zone; the time itself if it is outside of
 * them. An hour that occurs twice is quiet twice, and one that is left out never comes.
 */
export function quietEnd(at: number, hours: QuietHours, timeZone: string): number {
  const isQuiet = byHours(hours, timeZone);
  if (!isQuiet(at)) return at;
  const minute = Math.floor(at / MINUTE_MS);
  for (let step = 1; step <= MOST_MINUTES; step += 1) {
    const later = (minute + step) * MINUTE_MS;
    if (!isQuiet(later)) return later;
  }
  return at;
}
