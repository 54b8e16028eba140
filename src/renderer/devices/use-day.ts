import { useCallback, useEffect, useMemo, useState } from 'react';
import { localZone } from '../../shared/export/file-name.ts';
import type { DeviceSummary } from '../../shared/owner-api/devices.ts';
import { type DayTimes, dayTimes, type ToPlace } from '../../shared/owner-data/day-times.ts';
import { useChoicesThere } from '../api/queries/choices.ts';

type Located = Pick<DeviceSummary, 'id' | 'location'>;

/** Returns what counts as day at a device. */
export function useDay({ id, location }: Located): DayTimes {
  const days = useDays(location !== null);
  return useMemo(() => days({ id, location }), [days, id, location]);
}

/**
 * Returns a function for what counts as day at a device, by hours of a time zone; without one, of the browser's. If
 * `isNeeded` is false, locations are not looked at, and h3-js is not loaded.
 */
export function useDays(isNeeded: boolean): (device: Located, zone?: string) => DayTimes {
  const { climate } = useChoicesThere();
  const toPlace = useToPlace(isNeeded);
  return useCallback(
    ({ id, location }, zone = localZone()) => dayTimes(climate[id]?.dayHours, location, zone, toPlace),
    [climate, toPlace],
  );
}

function useToPlace(isNeeded: boolean): ToPlace | null {
  const [toPlace, setToPlace] = useState<ToPlace | null>(null);
  useEffect(() => {
    if (!isNeeded) return;
    let isWanted = true;
    void import('h3-js').then(({ cellToLatLng }) => {
      // A state that is a function would be called.
      if (isWanted) setToPlace(() => cellToLatLng);
    });
    return () => {
      isWanted = false;
    };
  }, [isNeeded]);
  return toPlace;
}
