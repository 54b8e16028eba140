import { useEffect, useMemo, useState } from 'react';
import { localZone } from '../../shared/export/file-name.ts';
import { readCell } from '../../shared/h3.ts';
import { isSunUp, type Place } from '../../shared/measures/sun.ts';
import type { DeviceSummary } from '../../shared/owner-api/devices.ts';
import { byHours, type DayHours, USUAL_DAY } from '../../shared/owner-data/day-parts.ts';
import { useChoicesThere } from '../api/queries/choices.ts';

/** The cells of a coarser resolution are so large that the sun rises in them at different times. */
const LEAST_RESOLUTION = 3;

/** The times that count as day at a device. */
export interface Day {
  /** The owner's own hours, while the sun is up, or the usual hours. */
  readonly by: 'own' | 'sun' | 'usual';
  /** null where it is by the sun. */
  readonly hours: DayHours | null;
  isDay(at: number): boolean;
}

/** Tells what counts as day at a device: by the owner's own hours, else by the sun where it is, else by the usual hours. */
export function useDay({ id, location }: Pick<DeviceSummary, 'id' | 'location'>): Day {
  const own = useChoicesThere().climate[id]?.dayHours;
  const place = usePlace(own === undefined ? location : null);
  return useMemo(() => {
    if (own === undefined && place !== null) return { by: 'sun', hours: null, isDay: (at) => isSunUp(at, place) };
    const hours = own ?? USUAL_DAY;
    return { by: own === undefined ? 'usual' : 'own', hours, isDay: byHours(hours, localZone()) };
  }, [own, place]);
}

/** The middle of the cell that a device is in. h3-js is large, and loaded for a device that says where it is. */
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
