import type { FieldName } from '../../../../shared/protocol/fields.ts';

/** Padding of a row on both sides, and the least width of its columns, in px: no value of a column is cut. */
const PADDING = 16;
const NAME_WIDTH = 212;
const FIELD_WIDTH = 100;
/** Of a card: what stands above its values, and each line of values. */
const CARD_HEAD = 100;
const CARD_LINE = 76;
const ROW_HEIGHT = 76;

/** How a table of devices is laid out in its width. */
export interface TableLayout {
  /** Each device is a card, its values below each other. */
  readonly isCards: boolean;
  /** The fields that have room, in the owner's order. */
  readonly fields: readonly FieldName[];
  /** Values beside each other. */
  readonly columns: number;
  /** Height of every row in px. */
  readonly rowHeight: number;
}

/** Lays out a table: columns that have no room give way from the end, in a card all values are shown. */
export function tableLayout(fields: readonly FieldName[], width: number, isCards: boolean): TableLayout {
  if (isCards) {
    const columns = Math.max(1, Math.min(fields.length, Math.floor((width - PADDING) / FIELD_WIDTH)));
    return { isCards, fields, columns, rowHeight: CARD_HEAD + Math.ceil(fields.length / columns) * CARD_LINE };
  }
  const columns = Math.max(1, Math.floor((width - PADDING - NAME_WIDTH) / FIELD_WIDTH));
  const fitting = fields.slice(0, columns);
  return { isCards, fields: fitting, columns: fitting.length, rowHeight: ROW_HEIGHT };
}
