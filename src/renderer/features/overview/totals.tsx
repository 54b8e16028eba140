import { Popover } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import type { DeviceSummary, Overview } from '../../../shared/owner-api.ts';
import { Icon } from '../../components/icon.tsx';
import { useFormat } from '../../format.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { lastKnown, useNow } from '../../now.ts';
import classes from './overview.module.css';
import { type DeviceStatus, deviceStatus } from './status.ts';

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
          {rejected.map(({ endpoint, cause, count }) => (
            <li key={`${endpoint} ${cause}`}>
              <strong>{format.integer(count)}</strong> {t(`cause.${cause}`, { defaultValue: cause })}
              <span className={classes.note}> · {t(`endpoint.${endpoint}`)}</span>
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}

function useStatusCounts(devices: readonly DeviceSummary[]): Readonly<Record<DeviceStatus, number>> {
  const now = useNow(2000);
  return useMemo(() => {
    const counts = { online: 0, silent: 0, waiting: 0, inactive: 0, lost: 0, foreign: 0 };
    for (const device of devices) if (device.mine) counts[deviceStatus(device, lastKnown(now))]++;
    return counts;
  }, [devices, now]);
}

/** The node in figures: the owner's devices, what came in and was refused today, and how large the stores are. */
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
