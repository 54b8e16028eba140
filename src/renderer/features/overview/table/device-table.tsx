import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldName } from '../../../../shared/protocol/fields.ts';
import { NodeProvider } from '../../../api/node-connection.ts';
import { focusNextDevice } from '../../../components/browser/focus.ts';
import { useScrollArea } from '../../../components/browser/scroll-area.ts';
import { useSmallScreen } from '../../../components/browser/small-screen.ts';
import { type ListedDevice, listKey } from '../../../devices/listed.ts';
import { useSharedLabels } from '../../../devices/use-scales.ts';
import { DeviceRow } from './device-row.tsx';
import classes from './device-table.module.css';
import { SortHeader } from './sort-header.tsx';
import { tableLayout } from './table-layout.ts';

/** Beside the table, until its own width is known. */
const PAGE_PADDING = 32;

interface Props {
  readonly devices: readonly ListedDevice[];
  /** In the owner's order: where there is no room for all, the last give way. */
  readonly fields: readonly FieldName[];
  readonly label: string;
}

/** Devices as a table of which only the visible rows are rendered. */
export function DeviceTable({ devices, fields, label }: Props) {
  const { t } = useTranslation('app');
  const labelOf = useSharedLabels(devices);
  const scrollArea = useScrollArea();
  const list = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  const [width, setWidth] = useState(() => (scrollArea?.clientWidth ?? window.innerWidth) - PAGE_PADDING);
  const isSmall = useSmallScreen();
  // A card names each value itself.
  const isMixed = useCallback((field: FieldName) => !isSmall && labelOf(field) === 'waterAny', [isSmall, labelOf]);
  const layout = useMemo(() => tableLayout(fields, width, isSmall), [fields, width, isSmall]);

  // The content above the list may change its height, which moves the list.
  useLayoutEffect(() => {
    const element = list.current;
    if (scrollArea === null || element === null) return;
    const measure = (): void => {
      const top = element.getBoundingClientRect().top - scrollArea.getBoundingClientRect().top + scrollArea.scrollTop;
      setMargin((before) => (Math.abs(before - top) < 1 ? before : top));
      setWidth(element.clientWidth);
    };
    measure();
    const observer = new ResizeObserver(measure);
    for (const child of scrollArea.children) observer.observe(child);
    return () => observer.disconnect();
  }, [scrollArea]);

  const virtualizer = useVirtualizer({
    count: devices.length,
    getScrollElement: () => scrollArea,
    estimateSize: () => layout.rowHeight,
    scrollMargin: margin,
    overscan: 6,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
  });

  // Another height moves every row.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is what changed
  useLayoutEffect(() => virtualizer.measure(), [layout.rowHeight]);

  const left = fields.filter((field) => !layout.fields.includes(field));
  const table = (
    // biome-ignore-start lint/a11y/useSemanticElements: rows lie where they are put, which a <tr> does not
    // biome-ignore-start lint/a11y/useFocusableInteractive: headers hold buttons
    <div
      role="table"
      aria-label={label}
      aria-rowcount={devices.length + 1}
      className={classes.table}
      data-cards={layout.isCards || undefined}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
        if (!(event.target instanceof HTMLAnchorElement)) return;
        event.preventDefault();
        focusNextDevice(event.key === 'ArrowDown' ? 1 : -1);
      }}
      style={{ '--fields': layout.columns } as CSSProperties}
    >
      {/* A card names its values itself, and the toolbar has the order. */}
      {layout.isCards ? null : (
        <div role="rowgroup" className={classes.head}>
          <div role="row" aria-rowindex={1} className={classes.headRow}>
            <SortHeader sort="name" label={t('overview.device')} />
            {layout.fields.map((field) => (
              <SortHeader
                key={field}
                sort={field}
                label={t(`fieldShort.${labelOf(field)}`)}
                title={t(`field.${labelOf(field)}`)}
              />
            ))}
          </div>
        </div>
      )}
      <div ref={list} role="rowgroup" className={classes.rows} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const device = devices[index]!;
          return (
            <NodeProvider key={listKey(device)} value={device.node}>
              <DeviceRow device={device} layout={layout} isMixed={isMixed} index={index} top={start - margin} />
            </NodeProvider>
          );
        })}
      </div>
    </div>
    // biome-ignore-end lint/a11y/useFocusableInteractive: see above
    // biome-ignore-end lint/a11y/useSemanticElements: see above
  );
  return (
    <div>
      {table}
      {left.length === 0 ? null : (
        <p className={classes.left}>
          {t('overview.noRoom', { columns: left.map((field) => t(`field.${labelOf(field)}`)).join(', ') })}
        </p>
      )}
    </div>
  );
}
