import type { FieldName } from '../../../../shared/protocol/fields.ts';
import type { ColumnId } from '../row.ts';

/** Columns of buttons after those of values: copy, and show as JSON. */
export const ACTIONS = 2;
const ACTION_PX = 34;
const ROW_PX = 32;
/** The lines of a card: that of its time, those of values, and how many values stand in one. */
const CARD_HEAD_PX = 56;
const CARD_LINE_PX = 42;
const CARD_COLUMNS = 3;
/** A value that needs more than this part of a card's width has a line of its own, as a level with words beside it. */
const CARD_MOST_PART = 0.4;
/** The least width of a column; its name and its values may need more. */
const WIDTHS: Readonly<Partial<Record<ColumnId, number>>> = { seq: 70, time: 146, receivedAt: 146 };
const OTHER_WIDTH = 60;
/** The columns that give way first if there is no room for all; then the fields, from the end of the owner's order. */
const FIRST_TO_GO: readonly ColumnId[] = ['delay', 'receivedAt', 'seq', 'store', 'keyVersion'];

/** How the readings are laid out in a width. */
export interface GridLayout {
  /** On a small screen each reading is a card, its values below each other. */
  readonly isCards: boolean;
  /** The columns that have room. */
  readonly columns: readonly ColumnId[];
  /** The columns without a place. */
  readonly left: readonly ColumnId[];
  /** The fields that have a line of a card for themselves. */
  readonly wide: readonly ColumnId[];
  /** The template of the grid's columns in CSS. */
  readonly template: string;
  readonly rowPx: number;
  readonly headPx: number;
}

interface Room {
  readonly columns: readonly ColumnId[];
  /** The owner's order of the fields. */
  readonly order: readonly FieldName[];
  /** The width of a column's longest value, in px. */
  readonly needs: ReadonlyMap<ColumnId, number>;
  readonly width: number;
  readonly isCards: boolean;
}

/** Lays out the readings, so that whatever is shown is whole: the time is always there. */
export function gridLayout({ columns, order, needs, width, isCards }: Room): GridLayout {
  if (isCards) {
    const others = columns.filter((column) => column !== 'time');
    const wide = others.filter(
      (column) => (needs.get(column) ?? 0) > width * CARD_MOST_PART && column !== 'receivedAt',
    );
    const rowPx = CARD_HEAD_PX + cardLines(others, wide) * CARD_LINE_PX;
    return { isCards, columns, left: [], wide, template: '', rowPx, headPx: 0 };
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
    wide: [],
    template: `${template}${` ${ACTION_PX}px`.repeat(ACTIONS)}`,
    rowPx: ROW_PX,
    headPx: ROW_PX,
  };
}

/** How many lines CSS places columns in, one after the other; that of arrival takes two places. */
function cardLines(columns: readonly ColumnId[], wide: readonly ColumnId[]): number {
  let [lines, places] = [0, 0];
  for (const column of columns) {
    const taken = wide.includes(column) ? CARD_COLUMNS : column === 'receivedAt' ? 2 : 1;
    if (taken > places) {
      lines += 1;
      places = CARD_COLUMNS;
    }
    places -= taken;
  }
  return lines;
}
