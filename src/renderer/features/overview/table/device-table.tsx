import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, memo, useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { SharedLabel } from '../../../../shared/measures/field-scale.ts';
import type { FieldName } from '../../../../shared/protocol/fields.ts';
import { NodeProvider } from '../../../api/node-connection.ts';
import { focusNextDevice } from '../../../components/browser/focus.ts';
import { Icon } from '../../../components/icon.tsx';
import { type ListedDevice, listKey } from '../../../devices/listed.ts';
import { type ListPreferences, setPreferences, usePreferences } from '../../../devices/selection/preferences.ts';
import { useSharedLabels } from '../../../devices/use-scales.ts';
import { useListPlace } from '../use-list-place.ts';
import { DeviceRow } from './device-row.tsx';
import classes from './device-table.module.css';
import { ROW_HEIGHT, type TableLayout, tableLayout } from './table-layout.ts';

interface Props {
  readonly devices: readonly ListedDevice[];
  /** In the owner's order. If there is not enough room, the last ones are left out. */
  readonly fields: readonly FieldName[];
  readonly label: string;
}

/** Lists devices as a table. Only visible rows are rendered. */
export function DeviceTable({ devices, fields, label }: Props) {
  const { t } = useTranslation('app');
  const labelOf = useSharedLabels(devices);
  const { list, scrollArea, margin, width, isNear } = useListPlace();
  const isMixed = useCallback((field: FieldName) => labelOf(field) === 'waterAny', [labelOf]);
  const layout = useMemo(() => tableLayout(fields, width), [fields, width]);

  const virtualizer = useVirtualizer({
    count: devices.length,
    getScrollElement: () => scrollArea,
    estimateSize: () => ROW_HEIGHT,
    scrollMargin: margin,
    overscan: 6,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
  });

  const left = fields.filter((field) => !layout.fields.includes(field));
  const table = (
    // biome-ignore-start lint/a11y/useSemanticElements: rows lie where they are put, which a <tr> does not
    // biome-ignore-start lint/a11y/useFocusableInteractive: headers hold buttons
    <div
      role="table"
      aria-label={label}
      aria-rowcount={devices.length + 1}
      className={classes.table}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
        if (!(event.target instanceof HTMLAnchorElement)) return;
        event.preventDefault();
        focusNextDevice(event.key === 'ArrowDown' ? 1 : -1);
      }}
      style={{ '--fields': layout.columns, '--row-height': `${ROW_HEIGHT}px` } as CSSProperties}
    >
      <Head layout={layout} labelOf={labelOf} />
      <div ref={list} role="rowgroup" className={classes.rows} style={{ height: virtualizer.getTotalSize() }}>
        {(isNear ? virtualizer.getVirtualItems() : []).map(({ index, start }) => {
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

interface HeadProps {
  readonly layout: TableLayout;
  readonly labelOf: (field: FieldName) => SharedLabel;
}

/** The headers of the columns. They are not rendered again for each step of scrolling. */
const Head = memo(function Head({ layout, labelOf }: HeadProps) {
  const { t } = useTranslation('app');
  return (
    // biome-ignore-start lint/a11y/useSemanticElements: part of a table of placed rows
    // biome-ignore-start lint/a11y/useFocusableInteractive: headers hold buttons
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
    // biome-ignore-end lint/a11y/useFocusableInteractive: see above
    // biome-ignore-end lint/a11y/useSemanticElements: see above
  );
});

interface SortHeaderProps {
  readonly sort: ListPreferences['sort'];
  readonly label: string;
  /** The full label, if `label` is an abbreviation. */
  readonly title?: string;
}

/** A column header that sorts by its column; a second click reverses the order. */
function SortHeader({ sort, label, title = label }: SortHeaderProps) {
  const preferences = usePreferences();
  const active = preferences.sort === sort;
  const { descending } = preferences;
  return (
    // biome-ignore-start lint/a11y/useSemanticElements: part of a table of placed rows
    // biome-ignore-start lint/a11y/useFocusableInteractive: the button inside takes the focus
    <div role="columnheader" aria-sort={active ? (descending ? 'descending' : 'ascending') : 'none'}>
      <button
        type="button"
        className={classes.sort}
        title={title}
        data-active={active || undefined}
        onClick={() => setPreferences({ sort, descending: active && !descending })}
      >
        <span className={classes.sortLabel}>{label}</span>
        {active ? <Icon name={descending ? 'arrow-down' : 'arrow-up'} size={13} /> : null}
      </button>
    </div>
    // biome-ignore-end lint/a11y/useFocusableInteractive: see above
    // biome-ignore-end lint/a11y/useSemanticElements: see above
  );
}
