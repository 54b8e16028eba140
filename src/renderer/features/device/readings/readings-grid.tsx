import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OwnerReading } from '../../../../shared/owner-api/readings.ts';
import type { Scales } from '../../../devices/use-scales.ts';
import { isOfAnotherYear } from '../../../format/format.ts';
import { positionAfter } from './grid-position.ts';
import { HeaderRow } from './header-row.tsx';
import { ReadingRow, ROW_PX, UPTIME_BELOW_MS } from './reading-row.tsx';
import classes from './readings-grid.module.css';
import { type ColumnId, type OpenedOf, timeOf } from './row.ts';
import type { TablePreferences } from './table-preferences.ts';

/** Columns of buttons after those of values: copy, and show as JSON. */
const ACTIONS = 2;
const WIDTHS: Readonly<Partial<Record<ColumnId, number>>> = {
  seq: 76,
  time: 150,
  receivedAt: 150,
  delay: 84,
  ec: 108,
  waterLevel: 92,
  tempWater: 126,
  tempAmbient: 108,
  humidity: 96,
};
const OTHER_WIDTH = 82;
/** Wide enough for a time with its year in any of the languages. */
const YEAR_WIDTH = 204;
const ACTION_PX = 34;
/** A seq may have twenty digits. */
const DIGIT_PX = 7.8;

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
  const { rows, columns, openedOf, scales, clockNotSet, sort, onSort, onOpen, onCopy } = props;
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
  const position = { row, column: Math.min(active.column, columns.length + ACTIONS - 1) };

  // The header is above the first row, and sticky.
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    scrollMargin: ROW_PX,
    scrollPaddingStart: ROW_PX,
    overscan: 8,
    rangeExtractor: (range) => {
      const drawn = defaultRangeExtractor(range);
      // The cell that has the focus must not vanish when it is scrolled away.
      if (row >= 0 && row < drawn[0]!) drawn.unshift(row);
      if (row > drawn.at(-1)!) drawn.push(row);
      return drawn;
    },
  });

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
    } else if (before.top !== undefined && element.scrollTop >= ROW_PX) {
      const moved = rows.findIndex(({ seq }) => seq === before.top);
      if (moved > 0) element.scrollTop += moved * ROW_PX;
    }
  }, [rows, sort]);

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
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_PX) - 2);
    const size = { rows: rows.length, columns: columns.length + ACTIONS, page };
    const next = positionAfter(event.key, ctrl, position, size);
    if (next === undefined) return;
    event.preventDefault();
    wantsFocus.current = true;
    setActive({ id: rows[next.row]!.seq, column: next.column });
    virtualizer.scrollToIndex(next.row);
  };

  const longestSeq = useMemo(() => rows.reduce((most, { seq }) => Math.max(most, seq.length), 0), [rows]);
  const hasYear = useMemo(
    () => ({
      time: rows.some(({ timestamp }) => isLongTime(timeOf(timestamp))),
      receivedAt: rows.some(({ receivedAt }) => isLongTime(receivedAt)),
    }),
    [rows],
  );
  const widths = columns.map((column) => {
    if (column === 'seq') return Math.max(WIDTHS.seq!, longestSeq * DIGIT_PX + 16);
    if ((column === 'time' || column === 'receivedAt') && hasYear[column]) return YEAR_WIDTH;
    return WIDTHS[column] ?? OTHER_WIDTH;
  });
  const actions = ` ${ACTION_PX}px`.repeat(ACTIONS);
  const template = `${widths.map((width) => `minmax(${width}px, ${width}fr)`).join(' ')}${actions}`;
  const minWidth = widths.reduce((sum, width) => sum + width, ACTIONS * ACTION_PX);
  return (
    <div ref={scroller} className={classes.scroller}>
      {/* biome-ignore lint/a11y/useSemanticElements: a table element can't be virtualised in a grid of columns */}
      <div
        role="grid"
        aria-label={t('readings.title')}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length + ACTIONS}
        className={classes.grid}
        style={{ minWidth, ['--columns' as string]: template }}
        onKeyDown={onKeyDown}
      >
        <HeaderRow columns={columns} scales={scales} sort={sort} onSort={onSort} />
        {/* biome-ignore lint/a11y/useSemanticElements: as above */}
        <div role="rowgroup" className={classes.body} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const reading = rows[index]!;
            return (
              <ReadingRow
                key={reading.seq}
                reading={reading}
                opened={openedOf(reading.seq)}
                index={index}
                start={start - ROW_PX}
                columns={columns}
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
  );
}
