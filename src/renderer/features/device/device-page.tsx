import { Stack } from '@mantine/core';
import { useCallback } from 'react';
import { deviceName } from '../../../shared/display-text.ts';
import { errorCode } from '../../api/errors.ts';
import { useDevice, useLatestReadings } from '../../api/queries.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { PageLoading } from '../../components/page-loading.tsx';
import { preloadTexts } from '../../i18n/texts.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { linkTo } from '../../router.ts';
import { useTitle } from '../../title.ts';
import { KeyringSection } from '../keys/keyring/keyring-section.tsx';
import { AboutSection } from './about/about-section.tsx';
import { ChartsSection } from './charts/charts-section.tsx';
import { useCharts } from './charts/use-charts.ts';
import { DeviceHeader } from './device-header.tsx';
import classes from './device-page.module.css';
import { ReadingsSection } from './readings/readings-section.tsx';

// With the texts already there, the page is not held back a second time after it has been loaded.
await preloadTexts('device', 'keyring');

/** Everything that the node knows of one device: its values now, over time and one by one, and what it is. */
export default function DevicePage({ id }: { id: string }) {
  const { t } = useTranslation('device');
  const device = useDevice(id);
  // Asked for here, so that all comes together with the device and not after it.
  useLatestReadings(id);
  useTitle(device.data === undefined ? null : deviceName(device.data));
  const charts = useCharts(id, device.data);
  const { inView } = charts;
  const view = useCallback(() => inView.current, [inView]);
  // Forgotten meanwhile, its last data is still at hand; it must not look as if it were still there.
  const isGone = device.isError && errorCode(device.error) === 'not_found';
  if (device.data === undefined || isGone) {
    if (device.isPending) return <PageLoading />;
    return isGone ? (
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
      <ChartsSection device={device.data} charts={charts} />
      <ReadingsSection device={device.data} view={view} />
      <KeyringSection device={device.data} />
      <AboutSection device={device.data} />
    </Stack>
  );
}
