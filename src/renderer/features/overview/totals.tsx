import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNodes } from '../../api/queries/nodes.ts';
import { useOverviews } from '../../api/queries/overview.ts';
import type { ListedDevice } from '../../devices/listed.ts';
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

function useStatusCounts(devices: readonly ListedDevice[]): Readonly<Record<DeviceStatus, number>> {
  const now = useNow(2000);
  return useMemo(() => {
    const counts = { online: 0, silent: 0, waiting: 0, inactive: 0, lost: 0, foreign: 0 };
    for (const device of devices) {
      // How a device is whose node is not reached, nobody here knows.
      const isUnknown = device.node.link().state === 'lost';
      if (device.mine && !isUnknown) counts[deviceStatus(device, device.node.lastKnown(now))]++;
    }
    return counts;
  }, [devices, now]);
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
export function Totals({ devices }: { devices: readonly ListedDevice[] }) {
  const { t } = useTranslation('app');
  const format = useFormat();
  const counts = useStatusCounts(devices);
  const readings = useOverviews(useNodes()).reduce((sum, { data }) => sum + (data?.totals.readingsToday ?? 0), 0);
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
      <Tile label={t('overview.readingsToday')}>{format.integer(readings)}</Tile>
    </dl>
  );
}
