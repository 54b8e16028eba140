import type { FieldName } from '../../../../shared/protocol/fields.ts';

/** Padding of a row on both sides, and the least width of its columns, in px: no value of a column is cut. */
const PADDING = 16;
const NAME_WIDTH = 212;
const FIELD_WIDTH = 100;
/** Height of a row in px. */
export const ROW_HEIGHT = 76;

/** How a table of devices is laid out in its width. */
export interface TableLayout {
  /** The fields that have room, in the owner's order. */
  readonly fields: readonly FieldName[];
  /** Values beside each other. */
  readonly columns: number;
}

/** Lays out a table: columns that have no room give way from the end. */
export function tableLayout(fields: readonly FieldName[], width: number): TableLayout {
  const columns = Math.max(1, Math.floor((width - PADDING - NAME_WIDTH) / FIELD_WIDTH));
  const fitting = fields.slice(0, columns);
  return { fields: fitting, columns: fitting.length };
}
