import { useTranslation } from 'react-i18next';
import { isDerived } from '../../../../shared/measures/derived.ts';
import { Icon } from '../../../components/icon.tsx';
import type { Scales } from '../../../devices/use-scales.ts';
import { type GridColumn, isAnyField } from '../row.ts';
import classes from './readings-grid.module.css';
import type { TablePreferences } from './table-preferences.ts';

interface Props {
  readonly columns: readonly GridColumn[];
  readonly scales: Scales;
  readonly sort: TablePreferences['sort'];
  readonly onSort: (column: GridColumn) => void;
}

/** The column names. Each is a button that sorts by its column. */
export function HeaderRow({ columns, scales, sort, onSort }: Props) {
  const { t } = useTranslation(['device', 'app']);
  return (
    // biome-ignore lint/a11y/useSemanticElements: part of a virtualised grid
    <div role="rowgroup" className={classes.head}>
      {/* biome-ignore lint/a11y/useSemanticElements: part of a virtualised grid */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: its buttons take the focus */}
      <div role="row" aria-rowindex={1} className={classes.headRow}>
        {columns.map((column) => {
          const sorted = sort.id === column;
          const unit = isAnyField(column) ? scales[column].symbol : '';
          return (
            // biome-ignore lint/a11y/useSemanticElements: part of a virtualised grid
            // biome-ignore lint/a11y/useFocusableInteractive: its button takes the focus
            <div
              key={column}
              role="columnheader"
              aria-sort={sorted ? (sort.desc ? 'descending' : 'ascending') : 'none'}
              className={classes.columnHeader}
              data-column={column}
            >
              <button type="button" className={classes.sort} onClick={() => onSort(column)}>
                <span className={classes.name} title={columnName(t, column, scales)}>
                  {shortName(t, column, scales)}
                  {unit === '' ? null : <span className={classes.unit}> {unit}</span>}
                </span>
                {sorted ? <Icon name={sort.desc ? 'arrow-down' : 'arrow-up'} size={12} /> : null}
              </button>
            </div>
          );
        })}
        {(['copy', 'json'] as const).map((action) => (
          // biome-ignore lint/a11y/useSemanticElements: part of a virtualised grid
          // biome-ignore lint/a11y/useFocusableInteractive: nothing to do here
          <div key={action} role="columnheader" className={classes.action} data-last={action === 'json' || undefined}>
            <span className="visually-hidden">{t(`readings.${action}`)}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

/** Returns the full name of a column in the chosen language. */
export function columnName(t: (key: string) => string, column: GridColumn, scales: Scales): string {
  if (!isAnyField(column)) return t(`column.${column}`);
  const name = t(`app:field.${scales[column].label}`);
  return isDerived(column) ? `${name} (${t('app:derived.mark')})` : name;
}

/** Returns a short name of a column, for narrow places. */
export function shortName(t: (key: string) => string, column: GridColumn, scales: Scales): string {
  return isAnyField(column) ? t(`app:fieldShort.${scales[column].label}`) : t(`column.${column}`);
}
