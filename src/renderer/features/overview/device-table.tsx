import { type CSSProperties, useLayoutEffect, useRef, useState } from 'react';
import type { DeviceSummary } from '../../../shared/owner-api.ts';
import type { FieldName } from '../../../shared/protocol/fields.ts';
import { rowNumbers, useRowsInView } from '../../components/use-rows-in-view.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { useScrollArea } from '../../shell/scroll-context.ts';
import { DeviceRow, ROW_HEIGHT } from './device-row.tsx';
import classes from './device-table.module.css';
import { SortHeader } from './sort-header.tsx';

interface Props {
  readonly devices: readonly DeviceSummary[];
  readonly fields: readonly FieldName[];
  readonly label: string;
}

/** Devices as rows, of which only those in view are drawn: 200 of them change as cheaply as a dozen. */
export function DeviceTable({ devices, fields, label }: Props) {
  const { t } = useTranslation('app');
  const scrollArea = useScrollArea();
  const list = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);

  // What stands above the list changes its height (a device knocks, a section folds), which moves the list.
  useLayoutEffect(() => {
    const area = scrollArea.current;
    const element = list.current;
    if (area === null || element === null) return;
    const measure = (): void => {
      const top = element.getBoundingClientRect().top - area.getBoundingClientRect().top + area.scrollTop;
      setMargin((before) => (Math.abs(before - top) < 1 ? before : top));
    };
    measure();
    const observer = new ResizeObserver(measure);
    for (const child of area.children) observer.observe(child);
    return () => observer.disconnect();
  }, [scrollArea]);

  const inView = useRowsInView(scrollArea, { count: devices.length, rowPx: ROW_HEIGHT, margin, more: 6 });

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
      <div ref={list} role="rowgroup" className={classes.rows} style={{ height: devices.length * ROW_HEIGHT }}>
        {rowNumbers(inView).map((index) => {
          const device = devices[index]!;
          return <DeviceRow key={device.id} device={device} fields={fields} index={index} top={index * ROW_HEIGHT} />;
        })}
      </div>
    </div>
    // biome-ignore-end lint/a11y/useFocusableInteractive: see above
    // biome-ignore-end lint/a11y/useSemanticElements: see above
  );
}
