import { Popover } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import type { Overview } from '../../../shared/owner-api/overview.ts';
import type { English } from '../../../shared/texts/english.ts';
import { useNode } from '../../api/node-connection.ts';
import { Icon } from '../../components/icon.tsx';
import { type DeviceStatus, deviceStatus } from '../../devices/status.ts';
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

/** The causes that have a text; another version's node may tell of others, which are shown by their codes. */
type Cause = keyof English['app']['cause'];

function Rejected({ rejected }: { rejected: Overview['totals']['rejectedToday'] }) {
  const { t } = useTranslation('app');
  const format = useFormat();
  if (rejected.length === 0) return null;
  return (
    <Popover position="bottom-start" withArrow shadow="md" width={360}>
      <Popover.Target>
        <button type="button" className={classes.why}>
          {t('overview.why')}
          <Icon name="chevron-down" size={12} />
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <ul className={classes.causes}>
          {rejected.map(({ store, cause, count }) => (
            <li key={`${store} ${cause}`}>
              <strong>{format.integer(count)}</strong> {t(`cause.${cause as Cause}`, { defaultValue: cause })}
              <span className={classes.note}> · {t(`endpoint.${store}`)}</span>
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
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

/** The node in numbers: the owner's devices, today's accepted and rejected readings, and the size of the stores. */
export function Totals({ overview }: { overview: Overview }) {
  const { t } = useTranslation('app');
  const format = useFormat();
  const counts = useStatusCounts(overview.devices);
  const { readingsToday, rejectedToday, stores } = overview.totals;
  const off = counts.inactive + counts.lost;
  const notes = [
    ...(counts.silent > 0 ? [t('overview.silentCount', { count: counts.silent })] : []),
    ...(counts.waiting > 0 ? [t('overview.waitingCount', { count: counts.waiting })] : []),
    ...(off > 0 ? [t('overview.offCount', { count: off })] : []),
  ];
  const rejected = rejectedToday.reduce((total, { count }) => total + count, 0);
  return (
    <dl className={classes.totals}>
      <Tile
        label={t('overview.online')}
        note={
          notes.length === 0 ? undefined : <span data-alarm={counts.silent > 0 || undefined}>{notes.join(' · ')}</span>
        }
      >
        {format.integer(counts.online)}
      </Tile>
      <Tile label={t('overview.readingsToday')}>{format.integer(readingsToday)}</Tile>
      <Tile label={t('overview.rejectedToday')} note={<Rejected rejected={rejectedToday} />}>
        {format.integer(rejected)}
      </Tile>
      {stores.map(({ store, bytes }) => (
        <Tile key={store} label={t(`overview.storeSize.${store}`)}>
          {format.bytes(bytes)}
        </Tile>
      ))}
    </dl>
  );
}
