import type { AlertOptions } from '../../../shared/alerts/channel.ts';

export type QuietHours = NonNullable<AlertOptions['quietHours']>;

const MINUTE_MS = 60_000;
/** A day has 25 hours if the clock is set back, and some countries once left out a whole day. */
const MOST_MINUTES = 2 * 24 * 60;

/**
 * Returns whether a time is within the quiet hours, by the local time in a time zone. An hour that occurs twice is
 * quiet twice, and one that is left out never comes.
 */
export function isQuiet(at: number, { from, to }: QuietHours, timeZone: string): boolean {
  const time = wallTime(at, timeZone);
  return from < to ? from <= time && time < to : from <= time || time < to;
}

/** Returns when the quiet hours around a time end; the time itself if it is outside of them. */
export function quietEnd(at: number, hours: QuietHours, timeZone: string): number {
  if (!isQuiet(at, hours, timeZone)) return at;
  const minute = Math.floor(at / MINUTE_MS);
  for (let step = 1; step <= MOST_MINUTES; step += 1) {
    const later = (minute + step) * MINUTE_MS;
    if (!isQuiet(later, hours, timeZone)) return later;
  }
  return at;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Returns the local time of day: `HH:MM`. */
function wallTime(at: number, timeZone: string): string {
  let clock = clocks.get(timeZone);
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    clocks.set(timeZone, clock);
  }
  return clock.format(at);
}
