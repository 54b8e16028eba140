import { Stack } from '@mantine/core';
import i18next from 'i18next';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { deviceName } from '../../../shared/display-text.ts';
import { errorCode } from '../../api/errors.ts';
import { OwnerOnly } from '../../api/me.tsx';
import { useDevice } from '../../api/queries/devices.ts';
import { useJournal } from '../../api/queries/journal.ts';
import { EmptyState, ErrorState, PageLoading } from '../../components/states.tsx';
import { KeyringSection } from '../../device-keys/keyring-section.tsx';
import { AwayNote } from '../../devices/nodes/nodes-bar.tsx';
import { marksIn } from '../../journal/marks.ts';
import { linkTo } from '../../router/router.ts';
import { useTitle } from '../../router/title.ts';
import { AboutSection } from './about/about-section.tsx';
import { AlertsSection } from './alerts/alerts-section.tsx';
import { CalibrationsSection } from './calibrations/calibrations-section.tsx';
import { ChartsSection } from './charts/charts-section.tsx';
import { useCharts } from './charts/use-charts.ts';
import { DaysSection } from './days/days-section.tsx';
import { DeviceHeader } from './device-header.tsx';
import classes from './device-page.module.css';
import { DeviceTabs } from './device-tabs.tsx';
import { HiddenNote } from './hide-device.tsx';
import { NotesSection } from './notes-section.tsx';
import { usePagedReadings } from './readings/paging/use-paged-readings.ts';
import { ReadingsSection } from './readings/readings-section.tsx';

// Load the texts together with the page, so that it does not suspend again.
await i18next.loadNamespaces(['device', 'charts', 'journal', 'keyring', 'alerting', 'join']);

/** Shows everything that the node knows about one device: newest values, charts, readings and identity. */
export default function DevicePage({ id }: { id: string }) {
  const { t } = useTranslation('device');
  const device = useDevice(id);
  useTitle(device.data === undefined ? null : deviceName(device.data));
  const charts = useCharts(id, device.data);
  const { inView } = charts;
  // Requested here, in parallel with the device.
  const paged = usePagedReadings(id, charts);
  const { data: journal, isError: isUnknown } = useJournal({
    device: id,
    from: charts.query.from,
    to: charts.query.to,
  });
  const { from, to } = charts.view;
  const marks = useMemo(() => marksIn(journal?.entries ?? [], { from, to }), [journal, from, to]);
  const view = useCallback(() => inView.current, [inView]);
  // If the device was forgotten, its last data is still cached and must not be shown.
  const isGone = device.isError && errorCode(device.error) === 'not_found';
  if (device.data === undefined || isGone) {
    if (device.isPending) return <PageLoading />;
    return isGone ? (
      <EmptyState
        isPage
        icon="device"
        title={t('page.unknown')}
        action={<a href={linkTo({ page: 'overview' })}>{t('page.back')}</a>}
      >
        {t('page.unknownText')}
      </EmptyState>
    ) : (
      <ErrorState isPage error={device.error} onRetry={() => void device.refetch()} />
    );
  }
  return (
    <Stack gap="lg" className={classes.page ?? ''}>
      <AwayNote />
      <OwnerOnly>
        <HiddenNote device={device.data} />
      </OwnerOnly>
      <DeviceHeader device={device.data} />
      <AlertsSection device={device.data} />
      <ChartsSection device={device.data} charts={charts} marks={marks} />
      <CalibrationsSection device={device.data} />
      <DeviceTabs id={id}>
        {{
          days: <DaysSection device={device.data} view={charts.view} history={charts.opened.history} />,
          notes: (
            <NotesSection
              device={device.data}
              view={charts.view}
              marks={marks}
              isUnknown={journal === undefined && isUnknown}
              isCut={journal?.isCut === true}
            />
          ),
          readings: <ReadingsSection device={device.data} view={view} paged={paged} onRange={charts.setRange} />,
          keys: <KeyringSection device={device.data} />,
          about: <AboutSection device={device.data} />,
        }}
      </DeviceTabs>
    </Stack>
  );
}
