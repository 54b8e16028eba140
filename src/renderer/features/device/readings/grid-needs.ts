import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { isOfAnotherYear } from '../../../../shared/format/format.ts';
import { type ColumnValue, columnDecimals, openedText, valueText } from '../../../../shared/format/scaled.ts';
import type { OwnerReading } from '../../../../shared/owner-api/readings.ts';
import { FIELD_NAMES, type FieldName, perFieldName } from '../../../../shared/protocol/fields.ts';
import type { Scales } from '../../../devices/use-scales.ts';
import { useFormat } from '../../../format/format.ts';
import { shownField, shownNumber } from '../../../format/values.ts';
import { UPTIME_BELOW_MS } from './reading-row.tsx';
import { type ColumnId, delayOf, type OpenedOf, timeOf } from './row.ts';

/** Wide enough for a time with its year in any of the languages. */
const YEAR_WIDTH = 204;
/** A seq may have twenty digits, a value nine and a mark that it was opened; a delay is words. */
const SEQ_DIGIT_PX = 7.8;
const DIGIT_PX = 8.4;
const TIME_PX = 6.8;
const LETTER_PX = 6.5;
const PADDING_PX = 18;
const OPENED_PX = 16;
const LOCK_PX = 20;

/** What the grid shows. */
interface Shown {
  readonly rows: readonly OwnerReading[];
  readonly openedOf: OpenedOf;
  readonly scales: Scales;
  readonly clockNotSet: boolean;
}

type Decimals = Readonly<Record<FieldName, number>>;

/** How many decimals the values of each field are written with, so that those below each other align. */
export function useDecimals({ rows, openedOf, scales }: Omit<Shown, 'clockNotSet'>): Decimals {
  return useMemo(
    () =>
      perFieldName((field) => {
        const values = rows.flatMap((reading): ColumnValue[] => {
          const shown = shownField(reading, field, openedOf(reading.seq));
          const number = shownNumber(shown);
          return number === null ? [] : [{ shown: scales[field].toShown(number), isOpened: shown.kind === 'opened' }];
        });
        return columnDecimals(scales[field], values);
      }),
    [rows, openedOf, scales],
  );
}

function isLongTime(ms: number | null): boolean {
  return ms === null || (ms >= UPTIME_BELOW_MS && isOfAnotherYear(ms));
}

/** What the longest values that were drawn so far need, in px: a column only grows, and none of them is cut. */
export function useNeeds(
  { rows, openedOf, scales, clockNotSet }: Shown,
  decimals: Decimals,
  drawn: readonly OwnerReading[],
): ReadonlyMap<ColumnId, number> {
  const format = useFormat();
  const { t } = useTranslation('app');
  const known = useRef(new Map<ColumnId, number>());
  const longestSeq = useMemo(() => rows.reduce((most, { seq }) => Math.max(most, seq.length), 0), [rows]);
  const hasYear = useMemo(
    () => ({
      time: rows.some(({ timestamp }) => isLongTime(timeOf(timestamp))),
      receivedAt: rows.some(({ receivedAt }) => isLongTime(receivedAt)),
    }),
    [rows],
  );
  const longest = new Map(known.current);
  const need = (column: ColumnId, px: number): void => {
    if (px > (longest.get(column) ?? 0)) longest.set(column, Math.ceil(px));
  };
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
    for (const field of FIELD_NAMES) {
      const shown = shownField(reading, field, openedOf(reading.seq));
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
      need(field, text.length * DIGIT_PX + PADDING_PX + (shown.kind === 'opened' ? OPENED_PX : 0));
    }
  }
  const isSame =
    longest.size === known.current.size && [...longest].every(([column, px]) => known.current.get(column) === px);
  if (!isSame) known.current = longest;
  return known.current;
}
