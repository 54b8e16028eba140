import { Stack } from '@mantine/core';
import { useCallback, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { errorCode } from '../../api/errors.ts';
import { useDevice } from '../../api/queries.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { PageLoading } from '../../components/page-loading.tsx';
import { linkTo } from '../../router.ts';
import { AboutSection } from './about/about-section.tsx';
import type { View } from './charts/chart-range.ts';
import { ChartsSection } from './charts/charts-section.tsx';
import { DeviceHeader } from './device-header.tsx';
import classes from './device-page.module.css';
import { ReadingsSection } from './readings/readings-section.tsx';

/** Everything that the node knows of one device: its values now, over time and one by one, and what it is. */
export default function DevicePage({ id }: { id: string }) {
  const { t } = useTranslation('device');
  const device = useDevice(id);
  const view = useRef<View>({ from: 0, to: 0 });
  const onView = useCallback((next: View): void => {
    view.current = next;
  }, []);
  if (device.data === undefined) {
    if (device.isPending) return <PageLoading />;
    return errorCode(device.error) === 'not_found' ? (
      <EmptyState
        icon="device"
        title={t('page.unknown')}
        action={<a href={linkTo({ page: 'overview' })}>{t('page.back')}</a>}
      >
        {t('page.unknownText')}
      </EmptyState>
    ) : (
      <ErrorState error={device.error} onRetry={() => void device.refetch()} />
    );
  }
  return (
    <Stack gap="lg" className={classes.page ?? ''}>
      <DeviceHeader device={device.data} />
      <ChartsSection device={device.data} onView={onView} />
      <ReadingsSection device={device.data} view={() => view.current} />
      <AboutSection device={device.data} />
    </Stack>
  );
}
