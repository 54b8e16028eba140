import { Box, Button, Checkbox, Group, Loader, Popover, Skeleton, Stack, Text, Title } from '@mantine/core';
import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DERIVED_NAMES, isDerived } from '../../../../shared/measures/derived.ts';
import type { DeviceDetail } from '../../../../shared/owner-api/devices.ts';
import type { OwnerReading } from '../../../../shared/owner-api/readings.ts';
import { FIELD_NAMES, type FieldName } from '../../../../shared/protocol/fields.ts';
import type { ChartRange } from '../../../charts/range/chart-range.ts';
import type { View } from '../../../charts/view.ts';
import { copyText } from '../../../components/browser/clipboard.ts';
import { Icon } from '../../../components/icon.tsx';
import { EmptyState, ErrorState } from '../../../components/states.tsx';
import { useDeviceLink } from '../../../devices/listed.ts';
import { useScales } from '../../../devices/use-scales.ts';
import { useCsvDialect } from '../../../export/use-csv-dialect.ts';
import { useFormat } from '../../../format/format.ts';
import { isSent, type OpenedFields, shownField } from '../../../format/values.ts';
import { useDerivedBy } from '../../../opening/derived.ts';
import { useOpened } from '../../../opening/opened.ts';
import { LockNote } from '../../../opening/sealed-note.tsx';
import { pasteLine } from '../export/export-row.ts';
import { GRID_COLUMNS, type GridColumn, isAnyField, isField, sortReadings } from '../row.ts';
import { columnName } from './header-row.tsx';
import { FilterBar } from './paging/filter-bar.tsx';
import { Pager } from './paging/pager.tsx';
import { type PagedReadings, useTablePreferences } from './paging/use-paged-readings.ts';
import { ReadingDrawer } from './reading-drawer.tsx';
import { ReadingsGrid } from './readings-grid.tsx';

const ExportDialog = lazy(() => import('../export/export-dialog.tsx'));
const NONE: readonly OwnerReading[] = [];
const NOT_CORRECTED: DeviceDetail['corrections'] = [];

function isLock(reading: OwnerReading, field: FieldName, opened: OpenedFields | undefined): boolean {
  return shownField(reading, field, opened).kind === 'sealed';
}

/** The dialog's input, as it was when the dialog opened. */
interface Exporting {
  readonly view: View;
  readonly shown: readonly OwnerReading[];
  readonly total: number | null;
  readonly isFiltered: boolean;
}

/** Returns the number of readings in the range; null if there are more pages and they are not counted yet. */
function countOf({ total, toNext, toPrevious }: PagedReadings, shown: number): number | null {
  return total ?? (toNext === null && toPrevious === null ? shown : null);
}

interface Props {
  readonly device: DeviceDetail;
  /** The current range of the charts, the default for the range of an export. */
  readonly view: () => View;
  readonly paged: PagedReadings;
  readonly onRange: (range: ChartRange) => void;
}

/** The readings of the charts' range as a table, with their export. */
export function ReadingsSection({ device, view, paged, onRange }: Props) {
  const { t } = useTranslation(['device', 'app']);
  const { page, total, filter, setFilter } = paged;
  const [preferences, setPreferences] = useTablePreferences();
  const { sort, hidden } = preferences;
  const { clockNotSet } = device;
  const [isAsSent, setAsSent] = useState(false);
  const corrections = isAsSent ? NOT_CORRECTED : device.corrections;
  const readings = page.data?.readings ?? NONE;
  const openedOf = useOpened(device, readings).of;
  const scales = useScales(device);
  const derivedBy = useDerivedBy(device);
  // Sorts by the shown value: the fuller a tank, the shorter the distance that its sensor sends.
  const isReversed = isAnyField(sort.id) && scales[sort.id].isReversed;
  const rows = useMemo(() => {
    const order = { id: sort.id, desc: sort.desc !== isReversed };
    return sortReadings(readings, order, clockNotSet, openedOf, corrections, derivedBy);
  }, [readings, sort, isReversed, clockNotSet, openedOf, corrections, derivedBy]);
  // A derived field has a column if the device sends its sources.
  const derived = DERIVED_NAMES.filter((field) => isSent(device.newest, field, derivedBy)).join(' ');
  const offered = useMemo(
    () => GRID_COLUMNS.filter((id) => !(isAnyField(id) && isDerived(id)) || derived.split(' ').includes(id)),
    [derived],
  );
  const columns = useMemo(() => offered.filter((id) => !hidden.includes(id)), [offered, hidden]);
  const hasLock = useMemo(
    () => rows.some((reading) => FIELD_NAMES.some((field) => isLock(reading, field, openedOf(reading.seq)))),
    [rows, openedOf],
  );
  const [opened, setOpened] = useState<OwnerReading | null>(null);
  const [said, setSaid] = useState('');
  const [exporting, setExporting] = useState<Exporting | null>(null);
  const [dialect] = useCsvDialect();

  // Memoized, so that only changed rows are rendered again.
  const visible = columns.join(' ');
  const copy = useCallback(
    (reading: OwnerReading): void => {
      const chosen = visible.split(' ') as GridColumn[];
      const line = pasteLine(reading, chosen, { scales, clockNotSet, corrections, derivedBy, openedOf, dialect });
      copyText(line).then(
        () => setSaid(t('readings.copied', { seq: reading.seq })),
        () => setSaid(t('app:common.copyFailed')),
      );
    },
    [visible, scales, clockNotSet, corrections, derivedBy, openedOf, dialect, t],
  );

  const onSort = useCallback(
    (id: GridColumn): void => {
      const desc = sort.id === id ? !sort.desc : id === 'time' || id === 'seq';
      setPreferences({ ...preferences, sort: { id, desc } });
    },
    [preferences, sort, setPreferences],
  );
  const toggle = (id: GridColumn): void => {
    const next = hidden.includes(id) ? hidden.filter((each) => each !== id) : [...hidden, id];
    if (offered.some((each) => !next.includes(each))) setPreferences({ ...preferences, hidden: next });
  };

  const isPart = total !== null && total > rows.length;
  return (
    <section aria-labelledby="readings-title">
      <Group justify="space-between" mb="xs">
        <Group gap="xs">
          <Title order={2} size="h4" id="readings-title">
            {t('readings.title')}
          </Title>
          <Text size="xs" c="dimmed">
            <Listed paged={paged} />
          </Text>
          <Text size="xs" role="status">
            {said}
          </Text>
        </Group>
        <Group gap="xs">
          <Popover position="bottom-end" shadow="md" trapFocus returnFocus withinPortal>
            <Popover.Target>
              <Button variant="default" size="xs" leftSection={<Icon name="columns" size={14} />}>
                {t('readings.columns')}
              </Button>
            </Popover.Target>
            <Popover.Dropdown>
              <Stack gap={6} role="group" aria-label={t('readings.columns')}>
                {offered.map((id) => (
                  <Checkbox
                    key={id}
                    size="xs"
                    label={columnName(t, id, scales)}
                    checked={!hidden.includes(id)}
                    onChange={() => toggle(id)}
                  />
                ))}
              </Stack>
            </Popover.Dropdown>
          </Popover>
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name="download" size={14} />}
            // The dialog exports the rows of the table. Before they are loaded it would write an empty file.
            disabled={page.data === undefined}
            onClick={() =>
              setExporting({
                view: view(),
                shown: rows,
                total: countOf(paged, rows.length),
                isFiltered: filter !== null,
              })
            }
          >
            {t('export.open')}
          </Button>
        </Group>
      </Group>
      <Group gap="xs" mb="xs" justify="space-between">
        <FilterBar path={useDeviceLink(device.id)} scales={scales} onFilter={setFilter} />
        {device.corrections.length === 0 ? null : (
          <Checkbox
            size="xs"
            label={t('readings.asSent')}
            checked={isAsSent}
            onChange={(event) => setAsSent(event.currentTarget.checked)}
          />
        )}
        {isPart && sort.id !== 'time' ? (
          <Text size="xs" c="dimmed">
            {t('readings.sortedPage')}
          </Text>
        ) : null}
      </Group>
      {hasLock ? (
        <Box mb="xs">
          <LockNote />
        </Box>
      ) : null}
      {page.isError ? (
        <ErrorState error={page.error} onRetry={() => void page.refetch()} />
      ) : page.isPending ? (
        <Skeleton height={320} />
      ) : rows.length === 0 ? (
        <NoReadings device={device} isFiltered={filter !== null} onRange={onRange} />
      ) : (
        <ReadingsGrid
          rows={rows}
          columns={columns}
          openedOf={openedOf}
          scales={scales}
          clockNotSet={clockNotSet}
          corrections={corrections}
          derivedBy={derivedBy}
          sort={sort}
          onSort={onSort}
          onOpen={setOpened}
          onCopy={copy}
        />
      )}
      <Pager paged={paged} />
      <ReadingDrawer
        device={device}
        scales={scales}
        reading={opened}
        opened={opened === null ? undefined : openedOf(opened.seq)}
        onClose={() => setOpened(null)}
      />
      {exporting === null ? null : (
        <Suspense fallback={<Loader size="xs" />}>
          <ExportDialog
            device={device}
            columns={columns.filter((id) => isField(id) || !isAnyField(id))}
            {...exporting}
            onClose={() => setExporting(null)}
          />
        </Suspense>
      )}
    </section>
  );
}

/** Shows the number of readings and their range. */
function Listed({ paged: { total, query, filter, first, page } }: { paged: PagedReadings }) {
  const { t } = useTranslation('device');
  const format = useFormat();
  if (page.data === undefined) return null;
  const shown = page.data.readings.length;
  const values = {
    count: total ?? shown,
    total: total === null ? '…' : format.integer(total),
    first: format.integer(Math.min(first + 1, shown)),
    last: format.integer(first + shown),
    from: query.from === null ? '' : format.shortDateTime(query.from),
    to: query.to === null ? t('readings.now') : format.shortDateTime(query.to),
  };
  const counted = t(shown === total ? 'readings.counted' : 'readings.countedPart', values);
  const range = query.from === null && query.to === null ? t('readings.all') : t('readings.fromTo', values);
  return `${counted} · ${range}${filter === null ? '' : ` · ${t('readings.filtered')}`}`;
}

interface NoReadingsProps {
  readonly device: DeviceDetail;
  readonly isFiltered: boolean;
  readonly onRange: (range: ChartRange) => void;
}

/** Replaces the table if the filter matches nothing, the range has no readings, or the device has never sent any. */
function NoReadings({ device, isFiltered, onRange }: NoReadingsProps) {
  const { t } = useTranslation('device');
  if (isFiltered) return <EmptyState icon="filter" title={t('readings.nonePasses')} />;
  if (device.span === null) {
    return (
      <EmptyState icon="list" title={t('readings.none')}>
        {t('readings.noneText')}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="list"
      title={t('readings.noneInRange')}
      action={
        <Button variant="default" size="xs" onClick={() => onRange({ kind: 'preset', preset: 'all' })}>
          {t('readings.showAll')}
        </Button>
      }
    />
  );
}
