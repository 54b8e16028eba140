import { useEffect, useMemo, useState } from 'react';
import { localZone } from '../../shared/export/file-name.ts';
import { readCell } from '../../shared/h3.ts';
import { isSunUp, type Place } from '../../shared/measures/sun.ts';
import type { DeviceSummary } from '../../shared/owner-api/devices.ts';
import { byHours, type DayHours, USUAL_DAY } from '../../shared/owner-data/day-parts.ts';
import { useChoicesThere } from '../api/queries/choices.ts';

/** The cells of lower resolutions are so large that the sun rises at different times in them. */
const LEAST_RESOLUTION = 3;

/** The times of day (as opposed to night) at a device. */
export interface Day {
  /** The source: the owner's own hours, the sun, or the usual hours. */
  readonly by: 'own' | 'sun' | 'usual';
  /** null if `by` is `sun`. */
  readonly hours: DayHours | null;
  isDay(at: number): boolean;
}

/**
 * Returns what counts as day at a device: the owner's own hours, otherwise the time when the sun is up, otherwise the
 * usual hours.
 */
export function useDay({ id, location }: Pick<DeviceSummary, 'id' | 'location'>): Day {
  const own = useChoicesThere().climate[id]?.dayHours;
  const place = usePlace(own === undefined ? location : null);
  return useMemo(() => {
    if (own === undefined && place !== null) return { by: 'sun', hours: null, isDay: (at) => isSunUp(at, place) };
    const hours = own ?? USUAL_DAY;
    return { by: own === undefined ? 'usual' : 'own', hours, isDay: byHours(hours, localZone()) };
  }, [own, place]);
}

/** Returns the middle of a device's cell. h3-js is large, so it is loaded only for a device with a location. */
function usePlace(location: string | null): Place | null {
  const [place, setPlace] = useState<Place | null>(null);
  useEffect(() => {
    setPlace(null);
    const cell = location === null ? null : readCell(location);
    if (cell?.valid !== true || cell.resolution < LEAST_RESOLUTION) return;
    let isWanted = true;
    void import('h3-js').then(({ cellToLatLng }) => {
      const [latitude, longitude] = cellToLatLng(cell.index);
      if (isWanted) setPlace({ latitude, longitude });
    });
    return () => {
      isWanted = false;
    };
  }, [location]);
  return place;
}
