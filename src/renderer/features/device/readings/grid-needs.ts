import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { isOfAnotherYear } from '../../../../shared/format/format.ts';
import { type ColumnValue, columnDecimals, openedText, valueText } from '../../../../shared/format/scaled.ts';
import { ANY_FIELDS, type AnyField, perAnyField } from '../../../../shared/measures/derived.ts';
import type { OwnerReading } from '../../../../shared/owner-api/readings.ts';
import type { Scales } from '../../../devices/use-scales.ts';
import { useFormat } from '../../../format/format.ts';
import { useMark } from '../../../format/shown-text.ts';
import { shownAny, shownNumber } from '../../../format/values.ts';
import { delayOf, GRID_COLUMNS, type GridColumn, isAnyField, type OpenedOf, type ShownBy, timeOf } from '../row.ts';
import { shortName } from './header-row.tsx';
import { UPTIME_BELOW_MS } from './reading-row.tsx';

/** The width of a time with its year, in px, in any of the languages. */
const YEAR_WIDTH = 204;
/**
 * Widths in px: a digit of a seq, a digit of a value, a character of a time, a letter of a word, then padding and
 * icons.
 */
const SEQ_DIGIT_PX = 7.8;
const DIGIT_PX = 8.4;
const TIME_PX = 6.8;
const LETTER_PX = 6.5;
const PADDING_PX = 18;
const OPENED_PX = 16;
const LOCK_PX = 20;
/** The arrow next to the name of the sorted column. */
const ARROW_PX = 16;
/** The fonts of column names and units, as in the style sheet. */
const NAME_FONT = '600 12px';
const UNIT_FONT = '400 12px';

/** The contents of the grid. */
interface Shown extends ShownBy {
  readonly rows: readonly OwnerReading[];
  readonly openedOf: OpenedOf;
  readonly scales: Scales;
}

type Decimals = Readonly<Record<AnyField, number>>;

/** Returns the number of decimals for each field, so that values below each other align. */
export function useDecimals({ rows, openedOf, scales, corrections, clockNotSet, derivedBy }: Shown): Decimals {
  return useMemo(
    () =>
      perAnyField((field) => {
        const values = rows.flatMap((reading): ColumnValue[] => {
          const shown = shownAny(reading, field, openedOf(reading.seq), { corrections, clockNotSet }, derivedBy);
          const number = shownNumber(shown);
          return number === null ? [] : [{ shown: scales[field].toShown(number), isOpened: shown.kind === 'opened' }];
        });
        return columnDecimals(scales[field], values);
      }),
    [rows, openedOf, scales, corrections, clockNotSet, derivedBy],
  );
}

function isLongTime(ms: number | null): boolean {
  return ms === null || (ms >= UPTIME_BELOW_MS && isOfAnotherYear(ms));
}

let canvas: CanvasRenderingContext2D | null = null;

/** Returns the width of a text in px, in the given weight and size of the page's font. */
function textWidth(text: string, font: string): number {
  canvas ??= document.createElement('canvas').getContext('2d');
  if (canvas === null) return text.length * LETTER_PX;
  canvas.font = `${font} ${getComputedStyle(document.body).fontFamily}`;
  return canvas.measureText(text).width;
}

/**
 * Returns the widths of the column names and of the longest values drawn so far, in px. A column only grows, and no
 * value is cut off.
 */
export function useNeeds(
  { rows, openedOf, scales, clockNotSet, corrections, derivedBy }: Shown,
  decimals: Decimals,
  drawn: readonly OwnerReading[],
  sorted: GridColumn,
): ReadonlyMap<GridColumn, number> {
  const format = useFormat();
  const markOf = useMark();
  const { t } = useTranslation('app');
  const { t: tColumn } = useTranslation(['device', 'app']);
  const known = useRef(new Map<GridColumn, number>());
  const longestSeq = useMemo(() => rows.reduce((most, { seq }) => Math.max(most, seq.length), 0), [rows]);
  const hasYear = useMemo(
    () => ({
      time: rows.some(({ timestamp }) => isLongTime(timeOf(timestamp))),
      receivedAt: rows.some(({ receivedAt }) => isLongTime(receivedAt)),
    }),
    [rows],
  );
  const names = useMemo(
    () =>
      GRID_COLUMNS.map((column) => {
        const unit = isAnyField(column) ? scales[column].symbol : '';
        const name = textWidth(shortName(tColumn, column, scales), NAME_FONT);
        return [column, name + (unit === '' ? 0 : textWidth(` ${unit}`, UNIT_FONT)) + PADDING_PX] as const;
      }),
    [tColumn, scales],
  );
  const longest = new Map(known.current);
  const need = (column: GridColumn, px: number): void => {
    if (px > (longest.get(column) ?? 0)) longest.set(column, Math.ceil(px));
  };
  for (const [column, px] of names) need(column, px + (sorted === column ? ARROW_PX : 0));
  need('seq', longestSeq * SEQ_DIGIT_PX + PADDING_PX);
  if (hasYear.time) need('time', YEAR_WIDTH);
  if (hasYear.receivedAt) need('receivedAt', YEAR_WIDTH);
  for (const reading of drawn) {
    const time = timeOf(reading.timestamp);
    if (time !== null) need('time', format.shortDateTime(time).length * TIME_PX + PADDING_PX);
    need('receivedAt', format.shortDateTime(reading.receivedAt).length * TIME_PX + PADDING_PX);
    const delay = delayOf(reading, clockNotSet);
    if (delay !== null)
      need('delay', (format.duration(Math.abs(delay)).length + (delay < 0 ? 1 : 0)) * LETTER_PX + PADDING_PX);
    for (const field of ANY_FIELDS) {
      const shown = shownAny(reading, field, openedOf(reading.seq), { corrections, clockNotSet }, derivedBy);
      const word =
        shown.kind === 'sealed'
          ? t('value.isSealed')
          : shown.kind === 'failed'
            ? t(`value.failedShort.${shown.reason}`, { version: shown.keyVersion })
            : '';
      if (word !== '') need(field, word.length * LETTER_PX + PADDING_PX + LOCK_PX);
      const number = shownNumber(shown);
      if (number === null) continue;
      const value = scales[field].toShown(number);
      const textOf = shown.kind === 'opened' ? openedText : valueText;
      const text = textOf(format, scales[field], value, decimals[field]);
      const mark = markOf(scales[field], value);
      const before = (shown.kind === 'opened' ? OPENED_PX : 0) + (mark === null ? 0 : (mark.length + 1) * LETTER_PX);
      need(field, text.length * DIGIT_PX + PADDING_PX + before);
    }
  }
  const isSame =
    longest.size === known.current.size && [...longest].every(([column, px]) => known.current.get(column) === px);
  if (!isSame) known.current = longest;
  return known.current;
}
