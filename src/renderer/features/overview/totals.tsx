import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import type { Overview } from '../../../shared/owner-api/overview.ts';
import { useNode } from '../../api/node-connection.ts';
import { type ListPreferences, setPreferences } from '../../devices/selection/preferences.ts';
import { SHOW_ALL } from '../../devices/selection/select-devices.ts';
import { type DeviceStatus, deviceStatus } from '../../devices/status/status.ts';
import { useFormat } from '../../format/format.ts';
import { useNow } from '../../now.ts';
import classes from './overview.module.css';

function Tile({ label, children, note }: { label: string; children: ReactNode; note?: ReactNode }) {
  return (
    <div className={classes.tile}>
      <dt>{label}</dt>
      <dd>
        <span className={classes.figure}>{children}</span>
        {note === undefined ? null : <span className={classes.note}>{note}</span>}
      </dd>
    </div>
  );
}

function useStatusCounts(devices: readonly DeviceSummary[]): Readonly<Record<DeviceStatus, number>> {
  const node = useNode();
  const now = useNow(2000);
  return useMemo(() => {
    const counts = { online: 0, silent: 0, waiting: 0, inactive: 0, lost: 0, foreign: 0 };
    for (const device of devices) if (device.mine) counts[deviceStatus(device, node.lastKnown(now))]++;
    return counts;
  }, [node, devices, now]);
}

/** A count that shows its devices. */
function Filter({ status, children }: { status: ListPreferences['status']; children: ReactNode }) {
  return (
    <button type="button" className={classes.why} onClick={() => setPreferences({ ...SHOW_ALL, status })}>
      {children}
    </button>
  );
}

/** The owner's devices in numbers, each of which shows those that it counts, and what they sent today. */
export function Totals({ overview }: { overview: Overview }) {
  const { t } = useTranslation('app');
  const format = useFormat();
  const counts = useStatusCounts(overview.devices);
  const off = counts.inactive + counts.lost;
  const notes = (
    <>
      {counts.silent > 0 ? (
        <span data-alarm>
          <Filter status="silent">{t('overview.silentCount', { count: counts.silent })}</Filter>
        </span>
      ) : null}
      {counts.waiting > 0 ? (
        <Filter status="silent">{t('overview.waitingCount', { count: counts.waiting })}</Filter>
      ) : null}
      {off > 0 ? <Filter status="off">{t('overview.offCount', { count: off })}</Filter> : null}
    </>
  );
  return (
    <dl className={classes.totals}>
      <Tile label={t('overview.online')} note={notes}>
        {format.integer(counts.online)}
      </Tile>
      <Tile label={t('overview.readingsToday')}>{format.integer(overview.totals.readingsToday)}</Tile>
    </dl>
  );
}
