import { COLUMN_IDS, type ColumnId } from './row.ts';

/** How the owner likes the table of readings; one choice for all devices, kept in this browser. */
export interface TablePreferences {
  readonly hidden: readonly ColumnId[];
  readonly sort: { readonly id: ColumnId; readonly desc: boolean };
}

/** The newest on top; what most owners have no use for is hidden. */
export const DEFAULT_TABLE: TablePreferences = { hidden: ['keyVersion', 'store'], sort: { id: 'time', desc: true } };

export const TABLE_KEY = 'wellhouse.readings';

/** What was kept, as far as this version understands it. */
export function parseTablePreferences(text: string | undefined): TablePreferences {
  let kept: { hidden?: unknown; sort?: { id?: unknown; desc?: unknown } | null } = {};
  try {
    const parsed: unknown = JSON.parse(text ?? '{}');
    if (typeof parsed === 'object' && parsed !== null) kept = parsed;
  } catch {
    // Not ours any more: the defaults do.
  }
  const { hidden, sort } = kept;
  const id = COLUMN_IDS.find((column) => column === sort?.id);
  return {
    hidden: Array.isArray(hidden) ? COLUMN_IDS.filter((column) => hidden.includes(column)) : DEFAULT_TABLE.hidden,
    sort: id === undefined ? DEFAULT_TABLE.sort : { id, desc: sort?.desc === true },
  };
}
