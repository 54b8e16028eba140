import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OwnerReading } from '../../../../shared/owner-api/readings.ts';
import { FIELD_NAMES } from '../../../../shared/protocol/fields.ts';
import { useWidth } from '../../../charts/drawing/use-width.ts';
import { useSmallScreen } from '../../../components/small-screen.ts';
import { usePreferences } from '../../../devices/preferences.ts';
import type { Scales } from '../../../devices/use-scales.ts';
import { isOfAnotherYear, useFormat } from '../../../format/format.ts';
import { openedText, valueText } from '../../../format/scaled.ts';
import { shownField, shownNumber } from '../../../format/values.ts';
import { ACTIONS, gridLayout } from './grid-layout.ts';
import { positionAfter } from './grid-position.ts';
import { columnName, HeaderRow } from './header-row.tsx';
import { ReadingRow, UPTIME_BELOW_MS } from './reading-row.tsx';
import classes from './readings-grid.module.css';
import { type ColumnId, delayOf, type OpenedOf, timeOf } from './row.ts';
import type { TablePreferences } from './table-preferences.ts';

/** Wide enough for a time with its year in any of the languages. */
const YEAR_WIDTH = 204;
/** A seq may have twenty digits, a value nine and a mark that it was opened; a delay is words. */
const SEQ_DIGIT_PX = 7.8;
const DIGIT_PX = 8.4;
const TIME_PX = 6.8;
const LETTER_PX = 6.5;
const PADDING_PX = 18;
const OPENED_PX = 16;

interface Props {
  readonly rows: readonly OwnerReading[];
  readonly columns: readonly ColumnId[];
  readonly openedOf: OpenedOf;
  readonly scales: Scales;
  readonly clockNotSet: boolean;
  readonly sort: TablePreferences['sort'];
  readonly onSort: (column: ColumnId) => void;
  readonly onOpen: (reading: OwnerReading) => void;
  readonly onCopy: (reading: OwnerReading) => void;
}

function isLongTime(ms: number | null): boolean {
  return ms === null || (ms >= UPTIME_BELOW_MS && isOfAnotherYear(ms));
}

/**
 * The readings as a grid of which only the visible rows exist. One cell is the tab stop; the arrow keys move it. It
 * stays with its reading when new readings come in above.
 */
export function ReadingsGrid(props: Props) {
  const { rows, columns: chosen, openedOf, scales, clockNotSet, sort, onSort, onOpen, onCopy } = props;
  const { t } = useTranslation('device');
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<{ readonly id: string | null; readonly column: number }>({
    id: null,
    column: 0,
  });
  const wantsFocus = useRef(false);

  const found = rows.findIndex(({ seq }) => seq === active.id);
  const lastRow = useRef(0);
  // Its reading may no longer be in the list: then the cell at the same place takes over, with the focus if it had
  // it.
  const isGone = active.id !== null && found === -1;
  if (isGone && scroller.current?.contains(document.activeElement)) wantsFocus.current = true;
  const row = isGone ? Math.min(lastRow.current, rows.length - 1) : Math.max(0, found);
  const drawn = useRef<readonly OwnerReading[]>([]);
  const needs = useNeeds(props, drawn.current);
  const isSmall = useSmallScreen();
  const order = usePreferences().fields;
  const { ref: measured, width } = useWidth();
  const layout = useMemo(
    () => gridLayout({ columns: chosen, order, needs, width, isCards: isSmall }),
    [chosen, order, needs, width, isSmall],
  );
  const { columns, left, isCards, rowPx, headPx } = layout;
  const position = { row, column: Math.min(active.column, columns.length + ACTIONS - 1) };

  // The header is above the first row, and sticky.
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    scrollMargin: headPx,
    scrollPaddingStart: headPx,
    overscan: 8,
    rangeExtractor: (range) => {
      const indices = defaultRangeExtractor(range);
      // The cell that has the focus must not vanish when it is scrolled away.
      if (row >= 0 && row < indices[0]!) indices.unshift(row);
      if (row > indices.at(-1)!) indices.push(row);
      return indices;
    },
  });
  const items = virtualizer.getVirtualItems();
  drawn.current = items.flatMap(({ index }) => rows[index] ?? []);
  // Another height moves every row.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is what changed
  useLayoutEffect(() => virtualizer.measure(), [rowPx]);

  // New rows come in at the top. Keep the same readings in view if the owner has scrolled down; start a new sort
  // order at its top.
  const seen = useRef<{ readonly top: string | undefined; readonly sort: typeof sort }>({ top: undefined, sort });
  useLayoutEffect(() => {
    const element = scroller.current;
    const before = seen.current;
    seen.current = { top: rows[0]?.seq, sort };
    if (element === null) return;
    if (before.sort.id !== sort.id || before.sort.desc !== sort.desc) {
      element.scrollTop = 0;
    } else if (before.top !== undefined && element.scrollTop >= rowPx) {
      const moved = rows.findIndex(({ seq }) => seq === before.top);
      if (moved > 0) element.scrollTop += moved * rowPx;
    }
  }, [rows, sort, rowPx]);

  useLayoutEffect(() => {
    lastRow.current = row;
  }, [row]);

  // The row may exist only after scrolling, so check after every render.
  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    const cell = scroller.current?.querySelector<HTMLElement>(`[data-cell="${position.row}-${position.column}"]`);
    if (cell == null) return;
    wantsFocus.current = false;
    cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });

  const onKeyDown = (event: KeyboardEvent): void => {
    const reading = rows[position.row];
    const target = event.target as HTMLElement;
    if (reading === undefined || target.dataset.cell === undefined) return;
    const ctrl = event.ctrlKey || event.metaKey;
    if (ctrl && event.key === 'c' && window.getSelection()?.isCollapsed !== false) {
      event.preventDefault();
      onCopy(reading);
      return;
    }
    if (event.key === 'Enter' && position.column < columns.length) {
      event.preventDefault();
      onOpen(reading);
      return;
    }
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowPx) - 2);
    const size = { rows: rows.length, columns: columns.length + ACTIONS, page };
    const next = positionAfter(event.key, ctrl, position, size);
    if (next === undefined) return;
    event.preventDefault();
    wantsFocus.current = true;
    setActive({ id: rows[next.row]!.seq, column: next.column });
    virtualizer.scrollToIndex(next.row);
  };

  return (
    <>
      <div ref={measured} data-cards={isCards || undefined} className={classes.frame}>
        <div ref={scroller} className={classes.scroller}>
          {/* biome-ignore lint/a11y/useSemanticElements: a table element can't be virtualised in a grid of columns */}
          <div
            role="grid"
            aria-label={t('readings.title')}
            aria-rowcount={rows.length + 1}
            aria-colcount={columns.length + ACTIONS}
            className={classes.grid}
            style={{ ['--columns' as string]: layout.template }}
            onKeyDown={onKeyDown}
          >
            {isCards ? null : <HeaderRow columns={columns} scales={scales} sort={sort} onSort={onSort} />}
            {/* biome-ignore lint/a11y/useSemanticElements: as above */}
            <div role="rowgroup" className={classes.body} style={{ height: virtualizer.getTotalSize() }}>
              {items.map(({ index, start }) => {
                const reading = rows[index]!;
                return (
                  <ReadingRow
                    key={reading.seq}
                    reading={reading}
                    opened={openedOf(reading.seq)}
                    index={index}
                    start={start - headPx}
                    layout={layout}
                    scales={scales}
                    clockNotSet={clockNotSet}
                    activeColumn={index === position.row ? position.column : null}
                    onFocusCell={setActive}
                    onOpen={onOpen}
                    onCopy={onCopy}
                  />
                );
              })}
            </div>
          </div>
        </div>
      </div>
      {left.length === 0 ? null : (
        <p className={classes.left}>
          {t('readings.noRoom', { columns: left.map((column) => columnName(t, column)).join(', ') })}
        </p>
      )}
    </>
  );
}

/** What the longest values that were drawn so far need, in px: a column only grows, and none of them is cut. */
function useNeeds({ rows, openedOf, scales, clockNotSet }: Props, drawn: readonly OwnerReading[]) {
  const format = useFormat();
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
      const number = shownNumber(shown);
      if (number === null) continue;
      const value = scales[field].toShown(number);
      const text =
        shown.kind === 'opened' ? openedText(format, scales[field], value) : valueText(format, scales[field], value);
      need(field, text.length * DIGIT_PX + PADDING_PX + (shown.kind === 'opened' ? OPENED_PX : 0));
    }
  }
  const isSame =
    longest.size === known.current.size && [...longest].every(([column, px]) => known.current.get(column) === px);
  if (!isSame) known.current = longest;
  return known.current;
}
