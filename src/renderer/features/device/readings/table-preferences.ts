import { COLUMN_IDS, type ColumnId } from '../row.ts';

/** The table's columns and order: one choice for all devices, stored in this browser. */
export interface TablePreferences {
  readonly hidden: readonly ColumnId[];
  readonly sort: { readonly id: ColumnId; readonly desc: boolean };
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
  const id = COLUMN_IDS.find((column) => column === sort?.id);
  return {
    hidden: Array.isArray(hidden) ? COLUMN_IDS.filter((column) => hidden.includes(column)) : DEFAULT_TABLE.hidden,
    sort: id === undefined ? DEFAULT_TABLE.sort : { id, desc: sort?.desc === true },
  };
}
