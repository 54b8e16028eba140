import { Button, Checkbox, Group, Loader, Popover, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { lazy, memo, Suspense, useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceDetail } from '../../../../shared/owner-api/devices.ts';
import type { OwnerReading } from '../../../../shared/owner-api/readings.ts';
import { useLatestReadings } from '../../../api/queries/readings.ts';
import type { View } from '../../../charts/range/chart-range.ts';
import { Icon } from '../../../components/icon.tsx';
import { EmptyState, ErrorState } from '../../../components/states.tsx';
import { useScales } from '../../../devices/use-scales.ts';
import { useCsvDialect } from '../../../export/use-csv-dialect.ts';
import { useFormat } from '../../../format/format.ts';
import { useOpened } from '../../../opening/opened.ts';
import { pasteLine } from '../export/export-row.ts';
import { columnName } from './header-row.tsx';
import { ReadingDrawer } from './reading-drawer.tsx';
import { ReadingsGrid } from './readings-grid.tsx';
import { COLUMN_IDS, type ColumnId, sortReadings } from './row.ts';
import { DEFAULT_TABLE, parseTablePreferences, TABLE_KEY } from './table-preferences.ts';

const ExportDialog = lazy(() => import('../export/export-dialog.tsx'));
const NONE: readonly OwnerReading[] = [];

interface Props {
  readonly device: DeviceDetail;
  /** What the charts show now, offered as the range of an export. */
  readonly view: () => View;
}

/** The latest readings as a table, and their export. */
export const ReadingsSection = memo(function ReadingsSection({ device, view }: Props) {
  const { t } = useTranslation(['device', 'app']);
  const format = useFormat();
  const latest = useLatestReadings(device.id);
  const [preferences, setPreferences] = useLocalStorage({
    key: TABLE_KEY,
    defaultValue: DEFAULT_TABLE,
    deserialize: parseTablePreferences,
    getInitialValueInEffect: false,
  });
  const { sort, hidden } = preferences;
  const { clockNotSet } = device;
  const readings = latest.data ?? NONE;
  const openedOf = useOpened(device, readings).of;
  const rows = useMemo(
    () => sortReadings(readings, sort, clockNotSet, openedOf),
    [readings, sort, clockNotSet, openedOf],
  );
  const columns = useMemo(() => COLUMN_IDS.filter((id) => !hidden.includes(id)), [hidden]);
  const [opened, setOpened] = useState<OwnerReading | null>(null);
  const [said, setSaid] = useState('');
  const [exporting, setExporting] = useState<{ readonly view: View; readonly shown: readonly OwnerReading[] } | null>(
    null,
  );
  const scales = useScales(device);
  const [dialect] = useCsvDialect();

  // Memoized, so that only the rows that change are rendered again.
  const visible = columns.join(' ');
  const copy = useCallback(
    (reading: OwnerReading): void => {
      const chosen = visible.split(' ') as ColumnId[];
      const line = pasteLine(reading, { columns: chosen, scales, clockNotSet, openedOf, dialect });
      const written = navigator.clipboard?.writeText(line) ?? Promise.reject(new Error('no clipboard'));
      written.then(
        () => setSaid(t('readings.copied', { seq: reading.seq })),
        () => setSaid(t('app:common.copyFailed')),
      );
    },
    [visible, scales, clockNotSet, openedOf, dialect, t],
  );

  const onSort = (id: ColumnId): void => {
    setPreferences({ ...preferences, sort: { id, desc: sort.id === id ? !sort.desc : id === 'time' || id === 'seq' } });
  };
  const toggle = (id: ColumnId): void => {
    const next = hidden.includes(id) ? hidden.filter((each) => each !== id) : [...hidden, id];
    if (next.length < COLUMN_IDS.length) setPreferences({ ...preferences, hidden: next });
  };

  const total = device.readings.reduce((most, { count }) => Math.max(most, count), 0);
  return (
    <section aria-labelledby="readings-title">
      <Group justify="space-between" mb="xs">
        <Group gap="xs">
          <Title order={2} size="h4" id="readings-title">
            {t('readings.title')}
          </Title>
          <Text size="xs" c="dimmed">
            {t('readings.shown', {
              shown: format.integer(rows.length),
              total: format.integer(Math.max(total, rows.length)),
            })}
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
                {COLUMN_IDS.map((id) => (
                  <Checkbox
                    key={id}
                    size="xs"
                    label={columnName(t, id)}
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
            onClick={() => setExporting({ view: view(), shown: rows })}
          >
            {t('export.open')}
          </Button>
        </Group>
      </Group>
      {latest.isError ? (
        <ErrorState error={latest.error} onRetry={() => void latest.refetch()} />
      ) : latest.isPending ? (
        <Skeleton height={320} />
      ) : rows.length === 0 ? (
        <EmptyState icon="list" title={t('readings.none')}>
          {t('readings.noneText')}
        </EmptyState>
      ) : (
        <ReadingsGrid
          rows={rows}
          columns={columns}
          openedOf={openedOf}
          scales={scales}
          clockNotSet={clockNotSet}
          sort={sort}
          onSort={onSort}
          onOpen={setOpened}
          onCopy={copy}
        />
      )}
      <ReadingDrawer
        reading={opened}
        opened={opened === null ? undefined : openedOf(opened.seq)}
        onClose={() => setOpened(null)}
      />
      {exporting === null ? null : (
        <Suspense fallback={<Loader size="xs" />}>
          <ExportDialog device={device} columns={columns} {...exporting} onClose={() => setExporting(null)} />
        </Suspense>
      )}
    </section>
  );
});
