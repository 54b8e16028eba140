import { memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Correction } from '../../../../shared/measures/correction.ts';
import type { AnyField, DerivedBy } from '../../../../shared/measures/derived.ts';
import type { OwnerReading } from '../../../../shared/owner-api/readings.ts';
import { Icon } from '../../../components/icon.tsx';
import { FieldValue } from '../../../components/values/field-value.tsx';
import type { Scales } from '../../../devices/use-scales.ts';
import { useFormat } from '../../../format/format.ts';
import { type OpenedFields, shownAny } from '../../../format/values.ts';
import { delayOf, type GridColumn, isAnyField, timeOf } from '../row.ts';
import type { GridLayout } from './grid-layout.ts';
import { shortName } from './header-row.tsx';
import classes from './readings-grid.module.css';

/** A timestamp before 2001 is the time since the device started. */
export const UPTIME_BELOW_MS = 978_307_200_000;

interface Props {
  readonly reading: OwnerReading;
  /** The opened values of the reading's sealed fields. */
  readonly opened: OpenedFields | undefined;
  readonly index: number;
  readonly start: number;
  readonly layout: GridLayout;
  readonly scales: Scales;
  readonly decimals: Readonly<Record<AnyField, number>>;
  readonly clockNotSet: boolean;
  /** The calibrations that correct the values; empty shows the values as sent. */
  readonly corrections: readonly Correction[];
  readonly derivedBy: DerivedBy;
  /** The column of the grid's tab stop; null if the tab stop is in another row. */
  readonly activeColumn: number | null;
  readonly onFocusCell: (at: { id: string; column: number }) => void;
  readonly onOpen: (reading: OwnerReading) => void;
  readonly onCopy: (reading: OwnerReading) => void;
}

/** One reading of the grid. */
export const ReadingRow = memo(function ReadingRow(props: Props) {
  const { reading, index, start, layout, activeColumn, onFocusCell, onOpen, onCopy } = props;
  const { columns, isCards, wide } = layout;
  const { t } = useTranslation(['device', 'app']);
  const cell = (column: number) => ({
    'data-cell': `${index}-${column}`,
    tabIndex: column === activeColumn ? 0 : -1,
    onFocus: () => onFocusCell({ id: reading.seq, column }),
  });
  const actions = [
    { key: 'copy', icon: 'copy', act: onCopy },
    { key: 'json', icon: 'code', act: onOpen },
  ] as const;
  return (
    // biome-ignore lint/a11y/useSemanticElements: part of a virtualised grid
    // biome-ignore lint/a11y/useFocusableInteractive: its cells take the focus
    <div
      role="row"
      aria-rowindex={index + 2}
      className={classes.row}
      data-odd={index % 2 === 1 || undefined}
      style={{ height: layout.rowPx, transform: `translateY(${start}px)` }}
    >
      {columns.map((column, number) => (
        // biome-ignore lint/a11y/useSemanticElements: part of a virtualised grid
        // biome-ignore lint/a11y/useFocusableInteractive: its tabIndex comes with `cell`
        <div
          key={column}
          role="gridcell"
          className={classes.cell}
          data-column={column}
          data-wide={wide.includes(column) || undefined}
          {...cell(number)}
        >
          {isCards && column !== 'time' ? (
            <span className={classes.label}>{shortName(t, column, props.scales)}</span>
          ) : null}
          <CellValue {...props} column={column} hasNoUnit={!isCards} />
        </div>
      ))}
      {actions.map(({ key, icon, act }, number) => (
        // biome-ignore lint/a11y/useSemanticElements: part of a virtualised grid
        // biome-ignore lint/a11y/useFocusableInteractive: its button takes the focus
        <div key={key} role="gridcell" className={classes.action} data-last={number === 1 || undefined}>
          <button
            type="button"
            className={classes.button}
            aria-label={t(`readings.${key}Row`, { seq: reading.seq })}
            title={t(`readings.${key}`)}
            onClick={() => act(reading)}
            {...cell(columns.length + number)}
          >
            <Icon name={icon} size={14} />
          </button>
        </div>
      ))}
    </div>
  );
});

function CellValue({
  reading,
  opened,
  column,
  scales,
  decimals,
  clockNotSet,
  corrections,
  derivedBy,
  hasNoUnit,
}: Props & { column: GridColumn; hasNoUnit: boolean }): ReactNode {
  const { t } = useTranslation('device');
  const format = useFormat();
  if (isAnyField(column)) {
    // In a table, the header shows the unit.
    return (
      <FieldValue
        value={shownAny(reading, column, opened, { corrections, clockNotSet }, derivedBy)}
        scale={scales[column]}
        hasNoUnit={hasNoUnit}
        decimals={decimals[column]}
      />
    );
  }
  switch (column) {
    case 'seq':
      return reading.seq;
    case 'time': {
      const time = timeOf(reading.timestamp);
      if (time === null) return <span className={classes.doubtful}>{reading.timestamp}</span>;
      if (!clockNotSet) return <span title={format.dateTime(time)}>{format.shortDateTime(time)}</span>;
      return (
        <span className={classes.doubtful} title={format.dateTime(time)}>
          {time < UPTIME_BELOW_MS ? t('readings.uptime', { span: format.duration(time) }) : format.shortDateTime(time)}
        </span>
      );
    }
    case 'receivedAt':
      return <span title={format.dateTime(reading.receivedAt)}>{format.shortDateTime(reading.receivedAt)}</span>;
    case 'delay': {
      const delay = delayOf(reading, clockNotSet);
      if (delay === null) return <span className={classes.doubtful}>–</span>;
      const text = delay < 0 ? `−${format.duration(-delay)}` : format.duration(delay);
      return <span title={text}>{text}</span>;
    }
    case 'keyVersion':
      return reading.keyVersion;
    case 'store':
      return t(`store.${reading.store}`);
  }
}
