import { DERIVED_NAMES } from '../../../../shared/measures/derived.ts';
import type { FieldName } from '../../../../shared/protocol/fields.ts';
import type { GridColumn } from '../row.ts';

/** The number of button columns after the value columns: copy, and show as JSON. */
export const ACTIONS = 2;
const ACTION_PX = 34;
const ROW_PX = 32;
/** The heights of a card's lines (time, values), in px, and the number of values per line. */
const CARD_HEAD_PX = 56;
const CARD_LINE_PX = 42;
const CARD_COLUMNS = 3;
/** A value that needs more than this share of a card's width gets a whole line, for example a level in words. */
const CARD_MOST_PART = 0.4;
/** The minimum widths of columns, in px. Names and values may need more. */
const WIDTHS: Readonly<Partial<Record<GridColumn, number>>> = { seq: 70, time: 146, receivedAt: 146 };
const OTHER_WIDTH = 60;
/**
 * The columns that are left out first if there is not enough room: what follows from others comes first. Then fields are left out, the last in the owner's
 * order first.
 */
const FIRST_TO_GO: readonly GridColumn[] = [
  ...DERIVED_NAMES.toReversed(),
  'delay',
  'receivedAt',
  'seq',
  'store',
  'keyVersion',
];

/** The layout of the readings in a given width. */
export interface GridLayout {
  /** Whether each reading is a card, as on a small screen, with its values below each other. */
  readonly isCards: boolean;
  /** The columns that fit. */
  readonly columns: readonly GridColumn[];
  /** The columns that do not fit. */
  readonly left: readonly GridColumn[];
  /** The fields that get a whole line of a card. */
  readonly wide: readonly GridColumn[];
  /** The CSS template of the grid's columns. */
  readonly template: string;
  readonly rowPx: number;
  readonly headPx: number;
}

interface Room {
  readonly columns: readonly GridColumn[];
  /** The owner's order of the fields. */
  readonly order: readonly FieldName[];
  /** The width of each column's longest value, in px. */
  readonly needs: ReadonlyMap<GridColumn, number>;
  readonly width: number;
  readonly isCards: boolean;
}

/** Lays out the readings so that no shown value is cut off. The time is always shown. */
export function gridLayout({ columns, order, needs, width, isCards }: Room): GridLayout {
  if (isCards) {
    const others = columns.filter((column) => column !== 'time');
    const wide = others.filter(
      (column) => (needs.get(column) ?? 0) > width * CARD_MOST_PART && column !== 'receivedAt',
    );
    const rowPx = CARD_HEAD_PX + cardLines(others, wide) * CARD_LINE_PX;
    return { isCards, columns, left: [], wide, template: '', rowPx, headPx: 0 };
  }
  const widthOf = (column: GridColumn) => Math.max(WIDTHS[column] ?? OTHER_WIDTH, needs.get(column) ?? 0);
  const goes = [...FIRST_TO_GO, ...order.toReversed()];
  const left: GridColumn[] = [];
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

/** Returns the number of lines in which CSS places the columns. The arrival time takes two places. */
function cardLines(columns: readonly GridColumn[], wide: readonly GridColumn[]): number {
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
