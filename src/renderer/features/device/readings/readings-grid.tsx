import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, memo, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Correction } from '../../../../shared/measures/correction.ts';
import type { DerivedBy } from '../../../../shared/measures/derived.ts';
import type { OwnerReading } from '../../../../shared/owner-api/readings.ts';
import { useWidth } from '../../../charts/drawing/use-width.ts';
import { useSmallScreen } from '../../../components/browser/small-screen.ts';
import { usePreferences } from '../../../devices/selection/preferences.ts';
import type { Scales } from '../../../devices/use-scales.ts';
import type { GridColumn, OpenedOf } from '../row.ts';
import { ACTIONS, gridLayout } from './grid-layout.ts';
import { useDecimals, useNeeds } from './grid-needs.ts';
import { positionAfter } from './grid-position.ts';
import { columnName, HeaderRow } from './header-row.tsx';
import { ReadingRow } from './reading-row.tsx';
import classes from './readings-grid.module.css';
import type { TablePreferences } from './table-preferences.ts';

/** The number of rows drawn at first, until the real sizes are known. */
const FIRST_ROWS = 20;

interface Props {
  readonly rows: readonly OwnerReading[];
  readonly columns: readonly GridColumn[];
  readonly openedOf: OpenedOf;
  readonly scales: Scales;
  readonly clockNotSet: boolean;
  readonly corrections: readonly Correction[];
  readonly derivedBy: DerivedBy;
  readonly sort: TablePreferences['sort'];
  readonly onSort: (column: GridColumn) => void;
  readonly onOpen: (reading: OwnerReading) => void;
  readonly onCopy: (reading: OwnerReading) => void;
}

/**
 * The readings as a grid that renders only the visible rows. One cell is the tab stop; the arrow keys move it. It stays
 * with its reading when new readings arrive above.
 */
export const ReadingsGrid = memo(function ReadingsGrid(props: Props) {
  const { rows, columns: chosen, openedOf, scales, clockNotSet, corrections, derivedBy } = props;
  const { sort, onSort, onOpen, onCopy } = props;
  const { t } = useTranslation('device');
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<{ readonly id: string | null; readonly column: number }>({
    id: null,
    column: 0,
  });
  const wantsFocus = useRef(false);

  const found = rows.findIndex(({ seq }) => seq === active.id);
  const lastRow = useRef(0);
  // If the reading is no longer in the list, the cell at the same place becomes the tab stop, and takes over the focus
  // if the reading had it.
  const isGone = active.id !== null && found === -1;
  if (isGone && scroller.current?.contains(document.activeElement)) wantsFocus.current = true;
  const row = isGone ? Math.min(lastRow.current, rows.length - 1) : Math.max(0, found);
  const [drawn, setDrawn] = useState<readonly OwnerReading[]>(rows.slice(0, FIRST_ROWS));
  const decimals = useDecimals(props);
  const needs = useNeeds(props, decimals, drawn, sort.id);
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
      // The focused cell must stay rendered when it scrolls out of view.
      if (row >= 0 && row < indices[0]!) indices.unshift(row);
      if (row > indices.at(-1)!) indices.push(row);
      return indices;
    },
  });
  const items = virtualizer.getVirtualItems();
  const [firstDrawn, lastDrawn] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  // The rows drawn are known only after layout, and may need wider columns.
  useLayoutEffect(() => setDrawn(rows.slice(firstDrawn, lastDrawn + 1)), [rows, firstDrawn, lastDrawn]);
  // A changed height moves every row.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is what changed
  useLayoutEffect(() => virtualizer.measure(), [rowPx]);

  // New rows arrive at the top. If the owner has scrolled down, the same readings stay in view. A new sort order starts
  // at the top.
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

  // The row may exist only after scrolling, so this runs after every render.
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
                    decimals={decimals}
                    clockNotSet={clockNotSet}
                    corrections={corrections}
                    derivedBy={derivedBy}
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
          {t('readings.noRoom', { columns: left.map((column) => columnName(t, column, scales)).join(', ') })}
        </p>
      )}
    </>
  );
});
