import {
  columnVisibilityFeature,
  createColumnHelper,
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useMemo } from 'react';
import type { OwnerReading } from '../../../../shared/owner-api.ts';
import { shownField } from '../../../values.ts';
import { COLUMN_IDS, type ColumnId, compareReadings, isField, type OpenedOf } from './row.ts';
import type { TablePreferences } from './table-preferences.ts';

const features = tableFeatures({
  rowSortingFeature,
  columnVisibilityFeature,
  sortedRowModel: createSortedRowModel(),
});
const helper = createColumnHelper<typeof features, OwnerReading>();

function columnsFor(clockNotSet: boolean, openedOf: OpenedOf) {
  return COLUMN_IDS.map((id) =>
    helper.accessor(
      // An absent value is undefined, which the table keeps at the end in either direction.
      (reading): unknown => (isField(id) && shownField(reading, id).kind === 'absent' ? undefined : reading),
      {
        id,
        sortUndefined: 'last',
        sortFn: (a, b) => compareReadings(a.original, b.original, id, clockNotSet, openedOf),
      },
    ),
  );
}

/** The readings in the chosen order, and the columns that are shown. */
export function useReadingsTable(
  readings: readonly OwnerReading[],
  preferences: TablePreferences,
  clockNotSet: boolean,
  openedOf: OpenedOf,
) {
  const columns = useMemo(() => columnsFor(clockNotSet, openedOf), [clockNotSet, openedOf]);
  const state = useMemo(
    () => ({
      sorting: [preferences.sort],
      columnVisibility: Object.fromEntries(preferences.hidden.map((id) => [id, false])),
    }),
    [preferences],
  );
  const table = useTable({ features, columns, data: readings, state, getRowId: (reading) => reading.seq });
  return {
    rows: table.getRowModel().rows,
    columns: table.getVisibleLeafColumns().map(({ id }) => id as ColumnId),
  };
}
