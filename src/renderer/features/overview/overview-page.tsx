import { Button } from '@mantine/core';
import { lazy, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Overview } from '../../../shared/owner-api/overview.ts';
import type { FieldName } from '../../../shared/protocol/fields.ts';
import { errorCode } from '../../api/errors.ts';
import { OwnerOnly, useMe } from '../../api/me.tsx';
import { useNodes } from '../../api/queries/nodes.ts';
import { useOverview, useStopDemo } from '../../api/queries/overview.ts';
import { Icon } from '../../components/icon.tsx';
import { EmptyState, ErrorState, PageLoading } from '../../components/states.tsx';
import { KnockingStrangers } from '../../devices/knocking/knocking.tsx';
import { type ListedDevice, useListedDevices } from '../../devices/listed.ts';
import { NodesBar } from '../../devices/nodes/nodes-bar.tsx';
import { FEW, setPreferences, usePreferences } from '../../devices/selection/preferences.ts';
import { SHOW_ALL } from '../../devices/selection/select-devices.ts';
import { useSelection } from '../../devices/selection/use-selection.ts';
import { useFormat } from '../../format/format.ts';
import { SealedNote } from '../../opening/sealed-note.tsx';
import { useTitle } from '../../router/title.ts';
import { Claims } from './claims.tsx';
import { DeviceList, GroupedDevices } from './grouped-devices.tsx';
import { HiddenDevices } from './hidden-devices.tsx';
import { AlertsOfOthers } from './needs/alerts-of-others.tsx';
import { NeedsSection } from './needs/needs-section.tsx';
import { UnwatchedNote } from './needs/unwatched-note.tsx';
import classes from './overview.module.css';
import { Sentence } from './sentence.tsx';
import { SetupLine } from './setup-line.tsx';
import { useIsByGroup, useIsTable, ViewMenu } from './view-menu.tsx';

const FirstRunPage = lazy(() => import('./first-run-page.tsx'));

/**
 * Returns the fields that at least one device has sent, in the owner's order. A column without any value is left out.
 */
function useFields(devices: readonly ListedDevice[]): readonly FieldName[] {
  const order = usePreferences().fields;
  const used = order.filter((field) => devices.some((device) => device.newest[field] !== null)).join();
  return useMemo(() => (used === '' ? order : (used.split(',') as FieldName[])), [used, order]);
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

interface OthersProps {
  readonly devices: readonly ListedDevice[];
  /** The number of devices that the search and the filters hide. */
  readonly hidden: number;
  /** The number of devices that the node left out. */
  readonly unlisted: number;
  readonly fields: readonly FieldName[];
}

function Others({ devices, hidden, unlisted, fields }: OthersProps) {
  const { t } = useTranslation('app');
  const format = useFormat();
  const { othersOpen } = usePreferences();
  const listed = devices.length + hidden;
  const count = listed + unlisted;
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
          {t('overview.others', { count, number: format.integer(count) })}
        </button>
      </h2>
      <p className={classes.note}>
        {t('overview.othersText', { count })}
        {unlisted > 0 ? ` ${t('overview.othersUnlisted', { count: listed })}` : null}
        {hidden > 0 ? ` ${t('overview.othersHidden', { count: hidden })}` : null}
      </p>
      {othersOpen && devices.length > 0 ? (
        <DeviceList devices={devices} of={listed} fields={fields} label={t('overview.othersLabel')} />
      ) : null}
    </section>
  );
}

function Devices({ overview, failed }: { overview: Overview; failed: unknown }) {
  const { t } = useTranslation('app');
  const devices = useListedDevices();
  const selection = useSelection(devices);
  const fields = useFields(devices);
  const { mine, claimed, others } = selection;
  const owned = useMemo(() => devices.filter((device) => device.mine), [devices]);
  const isByGroup = useIsByGroup();
  const isTable = useIsTable(owned.length);
  const isFew = !isTable && owned.length <= FEW;
  const menu = <ViewMenu selection={selection} all={owned} />;
  const nothing = mine.length + claimed.length + others.length === 0;
  const othersHidden = devices.filter((device) => !device.mine && !device.claimed).length - others.length;
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <Sentence devices={owned} />
        {isFew ? menu : null}
      </div>
      {failed === null ? null : (
        <p className={classes.stale} role="alert">
          <Icon name="alert" />
          {t('overview.stale', { reason: t(`error.${errorCode(failed)}.title`) })}
        </p>
      )}
      <NeedsSection overview={overview} />
      <AlertsOfOthers />
      <OwnerOnly>
        {overview.demo || overview.demoDevices.length > 0 ? <DemoNote isRunning={overview.demo} /> : null}
      </OwnerOnly>
      <OwnerOnly>
        <SetupLine />
      </OwnerOnly>
      <KnockingStrangers unregistered={overview.unregistered} />
      <NodesBar />
      {isFew ? null : menu}
      {nothing && devices.length > 0 ? (
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
      {isTable && !isByGroup ? <SealedNote devices={mine} /> : null}
      <GroupedDevices devices={mine} of={owned.length} fields={fields} />
      <OwnerOnly>
        {isTable || isByGroup ? <UnwatchedNote /> : null}
        <Claims devices={claimed} unlisted={overview.unlisted.claimed} />
      </OwnerOnly>
      {others.length + othersHidden > 0 ? (
        <Others devices={others} hidden={othersHidden} unlisted={overview.unlisted.others} fields={fields} />
      ) : null}
      <OwnerOnly>
        <HiddenDevices devices={overview.hidden} />
      </OwnerOnly>
    </div>
  );
}

/** The overview: whether all is well, what needs the owner, and all devices. */
export function OverviewPage() {
  const { t } = useTranslation('app');
  const { data, error, refetch } = useOverview();
  const me = useMe();
  const others = useNodes().length - 1;
  useTitle(t('overview.title'));
  if (data === undefined)
    return error === null ? <PageLoading /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data.devices.length === 0 && me.role === 'viewer') {
    return <EmptyState isPage icon="device" title={t('viewer.nothing')} />;
  }
  if (data.devices.length + data.hidden.length === 0 && others === 0)
    return <FirstRunPage unregistered={data.unregistered} />;
  // A lost connection is shown at the top of the window.
  return <Devices overview={data} failed={error !== null && errorCode(error) !== 'disconnected' ? error : null} />;
}
