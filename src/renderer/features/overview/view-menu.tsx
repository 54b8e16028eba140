import { ActionIcon, Button, NativeSelect, Popover, SegmentedControl } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/me.tsx';
import { useSmallScreen } from '../../components/browser/small-screen.ts';
import { Icon } from '../../components/icon.tsx';
import { useGroups } from '../../devices/groups/use-groups.ts';
import type { ListedDevice } from '../../devices/listed.ts';
import {
  FEW,
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

const GroupsDialog = lazy(() => import('./groups/groups-dialog.tsx'));

interface Props {
  readonly selection: Selection<ListedDevice>;
  /** All the owner's devices, including those that the search hides. */
  readonly all: readonly ListedDevice[];
}

/** Chooses how the list is shown. With few cards or on a phone it is one button; otherwise all choices are visible. */
export function ViewMenu({ selection, all }: Props) {
  const { t } = useTranslation('app');
  const format = useFormat();
  const isSmall = useSmallScreen();
  const isShown = useIsTable(all.length) || (all.length > FEW && !isSmall);
  const hidden = selection.hiddenMine;
  const preferences = usePreferences();
  const [isGrouping, setGrouping] = useState(false);
  return (
    <div className={classes.toolbar} data-whole={isShown || undefined}>
      {hidden === 0 && all.length <= FEW ? null : (
        <p className={classes.count} role="status">
          {hidden === 0
            ? t('overview.countAll', { count: all.length, number: format.integer(all.length) })
            : t('overview.countSome', {
                shown: format.integer(all.length - hidden),
                total: format.integer(all.length),
                count: hidden,
              })}
        </p>
      )}
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
      {isShown ? (
        <div className={classes.choices}>
          <Choices selection={selection} isSmall={isSmall} onGroups={() => setGrouping(true)} />
        </div>
      ) : (
        <Popover position="bottom-end" shadow="md" trapFocus returnFocus withinPortal>
          <Popover.Target>
            <Button
              className={classes.view ?? ''}
              variant="subtle"
              size="compact-sm"
              leftSection={<Icon name="columns" size={14} />}
            >
              {t('view.title')}
            </Button>
          </Popover.Target>
          <Popover.Dropdown aria-label={t('view.title')} className={classes.menu ?? ''}>
            <Choices selection={selection} isSmall={isSmall} onGroups={() => setGrouping(true)} />
          </Popover.Dropdown>
        </Popover>
      )}
      {isGrouping ? (
        <Suspense fallback={null}>
          <GroupsDialog devices={all} onClose={() => setGrouping(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}

interface ChoicesProps {
  readonly selection: Selection<ListedDevice>;
  readonly isSmall: boolean;
  readonly onGroups: () => void;
}

/** Chooses cards or table, filters, sort order, and the order of the values. */
function Choices({ selection, isSmall, onGroups }: ChoicesProps) {
  const { t } = useTranslation('app');
  const preferences = usePreferences();
  const { groups } = useGroups();
  const isOwner = useMe().role === 'owner';
  const labelOf = useSharedLabels(selection.mine);
  const isByGroup = useIsByGroup();
  const isTable = useIsTable(selection.mine.length + selection.hiddenMine);
  const view = isByGroup ? 'groups' : isTable ? 'table' : 'cards';
  return (
    <>
      {isSmall && groups.length === 0 ? null : (
        <SegmentedControl
          size="xs"
          aria-label={t('view.as')}
          value={view}
          data={[
            ...(groups.length === 0 ? [] : [{ value: 'groups', label: t('view.groups') } as const]),
            { value: 'cards', label: t('view.cards') },
            ...(isSmall ? [] : [{ value: 'table', label: t('view.table') } as const]),
          ]}
          onChange={(chosen) => setPreferences({ view: chosen })}
        />
      )}
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
      <span className={classes.order}>
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
      </span>
      <ColumnsMenu labelOf={labelOf} />
      {isOwner ? (
        <Button variant="default" size="xs" leftSection={<Icon name="folder" size={14} />} onClick={onGroups}>
          {t(groups.length === 0 ? 'groups.make' : 'groups.edit')}
        </Button>
      ) : null}
    </>
  );
}

/**
 * Returns whether a list of this many devices is a table: as the owner chose, otherwise if there are many. A phone
 * always has cards.
 */
export function useIsTable(devices: number): boolean {
  const { view } = usePreferences();
  const isSmall = useSmallScreen();
  return !isSmall && (view === 'table' || (view !== 'cards' && devices > FEW));
}

/** Returns whether each group is one card: unless the owner chose otherwise, if there are groups. */
export function useIsByGroup(): boolean {
  const { view } = usePreferences();
  return useGroups().groups.length > 0 && (view === 'auto' || view === 'groups');
}
