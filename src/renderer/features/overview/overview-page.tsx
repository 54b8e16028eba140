import { Button, Title } from '@mantine/core';
import { lazy, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceSummary, Overview } from '../../../shared/owner-api.ts';
import type { FieldName } from '../../../shared/protocol/fields.ts';
import { errorCode } from '../../api/errors.ts';
import { useOverview, useStopDemo } from '../../api/queries.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { Icon } from '../../components/icon.tsx';
import { PageLoading } from '../../components/page-loading.tsx';
import { SHOWN_FIELDS } from '../../values.ts';
import { DeviceTable } from './device-table.tsx';
import { Knocking } from './knocking.tsx';
import classes from './overview.module.css';
import { setPreferences, usePreferences } from './preferences.ts';
import { SHOW_ALL } from './select-devices.ts';
import { Toolbar } from './toolbar.tsx';
import { Totals } from './totals.tsx';
import { useSelection } from './use-selection.ts';

const FirstRunPage = lazy(() => import('../onboarding/first-run-page.tsx'));

/** Fields that some device has ever sent; a column of dashes alone says nothing. */
function useFields(devices: readonly DeviceSummary[]): readonly FieldName[] {
  const used = SHOWN_FIELDS.filter((field) => devices.some((device) => device.newest[field] !== null)).join();
  return useMemo(() => (used === '' ? SHOWN_FIELDS : (used.split(',') as FieldName[])), [used]);
}

function DemoNote({ isRunning }: { isRunning: boolean }) {
  const { t } = useTranslation('app');
  const stop = useStopDemo();
  return (
    <div className={classes.demo}>
      <Icon name="info" />
      <span>
        {t(isRunning ? 'demo.running' : 'demo.left')}
        {stop.isError ? (
          <span role="alert" className={classes.failed}>
            {t('demo.failed', { reason: t(`error.${errorCode(stop.error)}.title`) })}
          </span>
        ) : null}
      </span>
      <Button variant="default" size="compact-sm" loading={stop.isPending} onClick={() => stop.mutate()}>
        {t(isRunning ? 'demo.stop' : 'demo.remove')}
      </Button>
    </div>
  );
}

function Others({ devices, fields }: { devices: readonly DeviceSummary[]; fields: readonly FieldName[] }) {
  const { t } = useTranslation('app');
  const { othersOpen } = usePreferences();
  return (
    <section className={classes.others}>
      <h2>
        <button
          type="button"
          className={classes.fold}
          aria-expanded={othersOpen}
          onClick={() => setPreferences({ othersOpen: !othersOpen })}
        >
          <Icon name={othersOpen ? 'chevron-down' : 'chevron-right'} size={14} />
          {t('overview.others', { count: devices.length })}
        </button>
      </h2>
      <p className={classes.note}>{t('overview.othersText')}</p>
      {othersOpen ? <DeviceTable devices={devices} fields={fields} label={t('overview.othersLabel')} /> : null}
    </section>
  );
}

function Devices({ overview, failed }: { overview: Overview; failed: unknown }) {
  const { t } = useTranslation('app');
  const { devices } = overview;
  const selection = useSelection(devices);
  const fields = useFields(devices);
  const nothing = selection.mine.length + selection.others.length === 0;
  return (
    <div className={classes.page}>
      <Title order={1} size="h3" className={classes.heading ?? ''}>
        {t('overview.title')}
      </Title>
      {failed === null ? null : (
        <p className={classes.stale} role="alert">
          <Icon name="alert" />
          {t('overview.stale', { reason: t(`error.${errorCode(failed)}.title`) })}
        </p>
      )}
      {overview.demo || overview.demoDevices.length > 0 ? <DemoNote isRunning={overview.demo} /> : null}
      <Knocking unregistered={overview.unregistered} />
      <Totals overview={overview} />
      <Toolbar selection={selection} total={devices.length} />
      {nothing ? (
        <EmptyState
          icon="filter"
          title={t('overview.noMatch')}
          action={
            <Button variant="default" size="xs" onClick={() => setPreferences(SHOW_ALL)}>
              {t('overview.showAll')}
            </Button>
          }
        />
      ) : null}
      {selection.mine.length > 0 ? (
        <DeviceTable devices={selection.mine} fields={fields} label={t('overview.mineLabel')} />
      ) : null}
      {selection.others.length > 0 ? <Others devices={selection.others} fields={fields} /> : null}
    </div>
  );
}

/** Everything the node knows, on one page. */
export function OverviewPage() {
  const { data, error, refetch } = useOverview();
  if (data === undefined)
    return error === null ? <PageLoading /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data.devices.length === 0) return <FirstRunPage unregistered={data.unregistered} />;
  // A lost connection is told at the top of the window.
  return <Devices overview={data} failed={error !== null && errorCode(error) !== 'disconnected' ? error : null} />;
}
