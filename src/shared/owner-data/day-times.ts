import { readCell } from '../h3.ts';
import { isSunUp, type Place } from '../measures/sun.ts';
import { byHours, type DayHours, USUAL_DAY } from './day-parts.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;
/** The step of the search for sunrise and sunset. */
const SUN_STEP_MS = 10 * MINUTE_MS;
/** The cells of lower resolutions are so large that the sun rises at different times in them. */
const LEAST_RESOLUTION = 3;

/** The times of day (as opposed to night) at a device. */
export interface DayTimes {
  /** The source: the owner's own hours, the sun, or the usual hours. */
  readonly by: 'own' | 'sun' | 'usual';
  /** null if `by` is `sun`. */
  readonly hours: DayHours | null;
  isDay(at: number): boolean;
  /** Returns times between two times, in ascending order. Day and night begin at no other time. */
  edges(from: number, to: number): number[];
}

/** Returns the middle of a cell, as `cellToLatLng` of h3-js does, which is large and so loaded only when needed. */
export type ToPlace = (index: string) => readonly [latitude: number, longitude: number];

/**
 * Returns what counts as day at a device: the owner's own hours, otherwise the time when the sun is up at its location
 * (an H3 cell in decimal), otherwise the usual hours. Hours are local times of an IANA time zone.
 */
export function dayTimes(
  own: DayHours | undefined,
  location: string | null,
  zone: string,
  toPlace: ToPlace | null,
): DayTimes {
  const cell = own !== undefined || location === null || toPlace === null ? null : readCell(location);
  if (cell?.valid === true && cell.resolution >= LEAST_RESOLUTION) {
    const [latitude, longitude] = toPlace!(cell.index);
    return bySun({ latitude, longitude });
  }
  const hours = own ?? USUAL_DAY;
  return {
    ...{ by: own === undefined ? 'usual' : 'own', hours, isDay: byHours(hours, zone) },
    edges: (from, to) => hourEdges(hours, zone, { from, to }),
  };
}

/** A stretch of time in Unix milliseconds. `to` is the first moment after it. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Returns the days and nights in a stretch of time, one after the other without gaps. */
export function daysAndNights(
  { isDay, edges }: Pick<DayTimes, 'isDay' | 'edges'>,
  { from, to }: Stretch,
): (Stretch & { readonly isDay: boolean })[] {
  if (from >= to) return [];
  const starts = [from, ...edges(from, to).filter((at) => at > from && at < to)];
  const changes = starts.filter((at, index) => index === 0 || isDay(at) !== isDay(starts[index - 1]!));
  return changes.map((at, index) => ({ from: at, to: changes[index + 1] ?? to, isDay: isDay(at) }));
}

function bySun(place: Place): DayTimes {
  const isDay = (at: number) => isSunUp(at, place);
  return {
    ...{ by: 'sun', hours: null, isDay },
    edges: (from, to) => {
      const found: number[] = [];
      for (let at = from; at < to; at += SUN_STEP_MS) {
        const end = Math.min(at + SUN_STEP_MS, to);
        if (isDay(at) !== isDay(end)) found.push(firstWhere((time) => isDay(time) !== isDay(at), at, end));
      }
      return found;
    },
  };
}

/** Returns when the local time passes the bounds of some hours, and when the clocks change. */
function hourEdges(hours: DayHours, zone: string, { from, to }: Stretch): number[] {
  // This language writes "2026-03-29 03:30".
  const clock = new Intl.DateTimeFormat('sv-SE', {
    ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit' },
  });
  const offsetAt = (at: number) =>
    Date.parse(`${clock.format(at).replace(' ', 'T')}Z`) - Math.floor(at / MINUTE_MS) * MINUTE_MS;
  const bounds = [hours.from, hours.to].map((text) => Date.parse(`1970-01-01T${text}Z`));
  const found: number[] = [];
  for (let start = from; start < to; ) {
    const offset = offsetAt(start);
    let end = Math.min(start + DAY_MS, to);
    if (offsetAt(end) !== offset) end = firstWhere((at) => offsetAt(at) !== offset, start, end);
    found.push(start);
    for (const bound of bounds) {
      const at = start + ((((bound - start - offset) % DAY_MS) + DAY_MS) % DAY_MS);
      if (at < end) found.push(at);
    }
    start = end;
  }
  return found.toSorted((a, b) => a - b);
}

/** Returns the first whole millisecond in a stretch at which a condition holds. It must hold at `to`, not at `from`. */
function firstWhere(holds: (at: number) => boolean, from: number, to: number): number {
  let [before, after] = [from, to];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (holds(middle)) after = middle;
    else before = middle;
  }
  return after;
}
