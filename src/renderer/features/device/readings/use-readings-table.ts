import { useMemo } from 'react';
import type { OwnerReading } from '../../../../shared/owner-api.ts';
import { COLUMN_IDS, type OpenedOf, sortReadings } from './row.ts';
import type { TablePreferences } from './table-preferences.ts';

/** The readings in the chosen order, and the columns that are shown. */
export function useReadingsTable(
  readings: readonly OwnerReading[],
  { sort, hidden }: TablePreferences,
  clockNotSet: boolean,
  openedOf: OpenedOf,
) {
  return {
    rows: useMemo(() => sortReadings(readings, sort, clockNotSet, openedOf), [readings, sort, clockNotSet, openedOf]),
    columns: useMemo(() => COLUMN_IDS.filter((id) => !hidden.includes(id)), [hidden]),
  };
}
