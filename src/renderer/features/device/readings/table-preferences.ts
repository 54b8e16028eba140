import { GRID_COLUMNS, type GridColumn } from '../row.ts';

/** The table's columns and order: one choice for all devices, stored in this browser. */
export interface TablePreferences {
  readonly hidden: readonly GridColumn[];
  readonly sort: { readonly id: GridColumn; readonly desc: boolean };
}

/** Newest first. Columns that few owners need are hidden. */
export const DEFAULT_TABLE: TablePreferences = { hidden: ['keyVersion', 'store'], sort: { id: 'time', desc: true } };

export const TABLE_KEY = 'wellhouse.readings';

/** Parses the stored preferences. Parts that this version does not understand get their defaults. */
export function parseTablePreferences(text: string | undefined): TablePreferences {
  let kept: { hidden?: unknown; sort?: { id?: unknown; desc?: unknown } | null } = {};
  try {
    const parsed: unknown = JSON.parse(text ?? '{}');
    if (typeof parsed === 'object' && parsed !== null) kept = parsed;
  } catch {
    // Not JSON: use the defaults.
  }
  const { hidden, sort } = kept;
  const id = GRID_COLUMNS.find((column) => column === sort?.id);
  return {
    hidden: Array.isArray(hidden) ? GRID_COLUMNS.filter((column) => hidden.includes(column)) : DEFAULT_TABLE.hidden,
    sort: id === undefined ? DEFAULT_TABLE.sort : { id, desc: sort?.desc === true },
  };
}
