import type { FieldName } from '../../../../shared/protocol/fields.ts';

/** The padding of a row (both sides together) and the minimum widths of its columns, in px. No value is cut off. */
const PADDING = 16;
const NAME_WIDTH = 212;
const FIELD_WIDTH = 100;
/** The height of a row, in px. */
export const ROW_HEIGHT = 76;

/** The layout of a device table in a given width. */
export interface TableLayout {
  /** The fields that fit, in the owner's order. */
  readonly fields: readonly FieldName[];
  /** The number of value columns. */
  readonly columns: number;
}

/** Lays out a table. Columns that do not fit are left out, the last ones first. */
export function tableLayout(fields: readonly FieldName[], width: number): TableLayout {
  const columns = Math.max(1, Math.floor((width - PADDING - NAME_WIDTH) / FIELD_WIDTH));
  const fitting = fields.slice(0, columns);
  return { fields: fitting, columns: fitting.length };
}
