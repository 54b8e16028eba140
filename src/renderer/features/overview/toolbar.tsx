import { ActionIcon, Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSmallScreen } from '../../components/browser/small-screen.ts';
import { Icon } from '../../components/icon.tsx';
import {
  isFieldSort,
  SORTS,
  STATUS_FILTERS,
  STORE_FILTERS,
  setPreferences,
  usePreferences,
} from '../../devices/selection/preferences.ts';
import { isNarrowed, type Selection, SHOW_ALL } from '../../devices/selection/select-devices.ts';
import { useSharedLabels } from '../../devices/use-scales.ts';
import { useFormat } from '../../format/format.ts';
import classes from './overview.module.css';
import { ColumnsMenu } from './table/columns-menu.tsx';

/** So many devices are found without a filter. */
const FEW = 8;

/** Search, filters and order of the list, and how many devices are shown and hidden. */
export function Toolbar({ selection }: { selection: Selection }) {
  const { t } = useTranslation('app');
  const format = useFormat();
  const preferences = usePreferences();
  const labelOf = useSharedLabels(selection.mine);
  const hidden = selection.hiddenMine;
  const total = selection.mine.length + hidden;
  const [isOpen, setOpen] = useState(false);
  const isSmall = useSmallScreen();
  // On a phone they would take the place of the first devices, which are found without.
  const isFolded = isSmall && total <= FEW && !isNarrowed(preferences);
  return (
    <div className={classes.toolbar}>
      <p className={classes.count} role="status">
        {hidden === 0
          ? t('overview.countAll', { count: total, number: format.integer(total) })
          : t('overview.countSome', {
              shown: format.integer(total - hidden),
              total: format.integer(total),
              count: hidden,
            })}
      </p>
      {isNarrowed(preferences) ? (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<Icon name="close" size={14} />}
          onClick={() => setPreferences(SHOW_ALL)}
        >
          {t('overview.showAll')}
        </Button>
      ) : null}
      {isFolded ? (
        <Button
          variant="subtle"
          size="compact-sm"
          className={classes.unfold ?? ''}
          leftSection={<Icon name="filter" size={14} />}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {t('overview.filterAndSort')}
        </Button>
      ) : null}
      <div className={classes.choices} hidden={isFolded && !isOpen}>
        <NativeSelect
          size="xs"
          aria-label={t('overview.filterStatus')}
          data-narrowed={preferences.status !== 'all' || undefined}
          value={preferences.status}
          data={STATUS_FILTERS.map((value) => ({ value, label: t(`overview.status.${value}`) }))}
          onChange={({ currentTarget }) =>
            setPreferences({ status: STATUS_FILTERS.find((value) => value === currentTarget.value) ?? 'all' })
          }
        />
        <NativeSelect
          size="xs"
          aria-label={t('overview.filterStore')}
          value={preferences.store}
          data={STORE_FILTERS.map((value) => ({ value, label: t(`overview.store.${value}`) }))}
          onChange={({ currentTarget }) =>
            setPreferences({ store: STORE_FILTERS.find((value) => value === currentTarget.value) ?? 'all' })
          }
        />
        <NativeSelect
          size="xs"
          aria-label={t('overview.sortBy')}
          leftSection={<Icon name="sort" size={14} />}
          value={preferences.sort}
          data={SORTS.map((value) => ({
            value,
            label: isFieldSort(value) ? t(`field.${labelOf(value)}`) : t(`overview.sort.${value}`),
          }))}
          onChange={({ currentTarget }) => {
            const sort = SORTS.find((value) => value === currentTarget.value) ?? 'name';
            setPreferences({ sort, descending: sort === 'lastReading' || sort === 'added' });
          }}
        />
        <ActionIcon
          variant="default"
          size={30}
          aria-label={preferences.descending ? t('overview.descending') : t('overview.ascending')}
          title={preferences.descending ? t('overview.descending') : t('overview.ascending')}
          onClick={() => setPreferences({ descending: !preferences.descending })}
        >
          <Icon name={preferences.descending ? 'arrow-down' : 'arrow-up'} size={14} />
        </ActionIcon>
        <ColumnsMenu labelOf={labelOf} />
      </div>
    </div>
  );
}
