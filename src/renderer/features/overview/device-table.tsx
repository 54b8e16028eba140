import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import type { FieldName } from '../../../shared/protocol/fields.ts';
import { useScrollArea } from '../../components/scroll-area.ts';
import { DeviceRow, ROW_HEIGHT } from './device-row.tsx';
import classes from './device-table.module.css';
import { SortHeader } from './sort-header.tsx';

interface Props {
  readonly devices: readonly DeviceSummary[];
  readonly fields: readonly FieldName[];
  readonly label: string;
}

/** Devices as a table of which only the visible rows are rendered. */
export function DeviceTable({ devices, fields, label }: Props) {
  const { t } = useTranslation('app');
  const scrollArea = useScrollArea();
  const list = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);

  // The content above the list may change its height, which moves the list.
  useLayoutEffect(() => {
    const element = list.current;
    if (scrollArea === null || element === null) return;
    const measure = (): void => {
      const top = element.getBoundingClientRect().top - scrollArea.getBoundingClientRect().top + scrollArea.scrollTop;
      setMargin((before) => (Math.abs(before - top) < 1 ? before : top));
    };
    measure();
    const observer = new ResizeObserver(measure);
    for (const child of scrollArea.children) observer.observe(child);
    return () => observer.disconnect();
  }, [scrollArea]);

  const virtualizer = useVirtualizer({
    count: devices.length,
    getScrollElement: () => scrollArea,
    estimateSize: () => ROW_HEIGHT,
    scrollMargin: margin,
    overscan: 6,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
  });

  return (
    // biome-ignore-start lint/a11y/useSemanticElements: rows lie where they are put, which a <tr> does not
    // biome-ignore-start lint/a11y/useFocusableInteractive: headers hold buttons
    <div
      role="table"
      aria-label={label}
      aria-rowcount={devices.length + 1}
      className={classes.table}
      style={{ '--fields': fields.length } as CSSProperties}
    >
      <div role="rowgroup" className={classes.head}>
        <div role="row" aria-rowindex={1} className={classes.headRow}>
          <SortHeader sort="name" label={t('overview.device')} />
          {fields.map((field) => (
            <SortHeader key={field} sort={field} label={t(`fieldShort.${field}`)} title={t(`field.${field}`)} />
          ))}
        </div>
      </div>
      <div ref={list} role="rowgroup" className={classes.rows} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const device = devices[index]!;
          return <DeviceRow key={device.id} device={device} fields={fields} index={index} top={start - margin} />;
        })}
      </div>
    </div>
    // biome-ignore-end lint/a11y/useFocusableInteractive: see above
    // biome-ignore-end lint/a11y/useSemanticElements: see above
  );
}
