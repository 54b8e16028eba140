import type { FieldName } from '../../../../shared/protocol/fields.ts';
import type { ColumnId } from './row.ts';

/** Columns of buttons after those of values: copy, and show as JSON. */
export const ACTIONS = 2;
const ACTION_PX = 34;
const ROW_PX = 32;
/** Of a card: the line of its time, each line of values, and how many values stand in one. */
const CARD_HEAD_PX = 56;
const CARD_LINE_PX = 42;
const CARD_COLUMNS = 3;
/** The least width of a column; its name and its values may need more. */
const WIDTHS: Readonly<Partial<Record<ColumnId, number>>> = { seq: 70, time: 146, receivedAt: 146 };
const OTHER_WIDTH = 60;
/** What gives way first where there is no room for all; then the fields, from the end of the owner's order. */
const FIRST_TO_GO: readonly ColumnId[] = ['delay', 'receivedAt', 'seq', 'store', 'keyVersion'];

/** How the readings are laid out in a width. */
export interface GridLayout {
  /** On a small screen each reading is a card, its values below each other. */
  readonly isCards: boolean;
  /** The columns that have room. */
  readonly columns: readonly ColumnId[];
  /** Those that have none. */
  readonly left: readonly ColumnId[];
  /** Of the grid's columns, as CSS has it. */
  readonly template: string;
  readonly rowPx: number;
  readonly headPx: number;
}

interface Room {
  readonly columns: readonly ColumnId[];
  /** The owner's order of the fields. */
  readonly order: readonly FieldName[];
  /** What the longest value of a column needs, in px. */
  readonly needs: ReadonlyMap<ColumnId, number>;
  readonly width: number;
  readonly isCards: boolean;
}

/** Lays out the readings, so that whatever is shown is whole: the time is always there. */
export function gridLayout({ columns, order, needs, width, isCards }: Room): GridLayout {
  if (isCards) {
    // The time has a line of its own, that of arrival two places.
    const places = columns.filter((column) => column !== 'time').length + (columns.includes('receivedAt') ? 1 : 0);
    const lines = Math.ceil(places / CARD_COLUMNS);
    return { isCards, columns, left: [], template: '', rowPx: CARD_HEAD_PX + lines * CARD_LINE_PX, headPx: 0 };
  }
  const widthOf = (column: ColumnId) => Math.max(WIDTHS[column] ?? OTHER_WIDTH, needs.get(column) ?? 0);
  const goes = [...FIRST_TO_GO, ...order.toReversed()];
  const left: ColumnId[] = [];
  let shown = columns;
  const taken = () => shown.reduce((sum, column) => sum + widthOf(column), ACTIONS * ACTION_PX);
  for (const column of goes) {
    if (taken() <= width) break;
    if (!shown.includes(column) || shown.length === 1) continue;
    left.push(column);
    shown = shown.filter((each) => each !== column);
  }
  const template = shown.map((column) => `minmax(${widthOf(column)}px, ${widthOf(column)}fr)`).join(' ');
  return {
    isCards,
    columns: shown,
    left: columns.filter((column) => left.includes(column)),
    template: `${template}${` ${ACTION_PX}px`.repeat(ACTIONS)}`,
    rowPx: ROW_PX,
    headPx: ROW_PX,
  };
}
