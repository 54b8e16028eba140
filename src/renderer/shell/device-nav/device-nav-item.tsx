import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import { WellDot } from '../../alerts/well-sign.tsx';
import { textScale } from '../../components/browser/small-screen.ts';
import { useDeviceLink } from '../../devices/listed.ts';
import { nameOf } from '../../devices/names.ts';
import { NodeBadge } from '../../devices/nodes/node-badge.tsx';
import { StatusLine } from '../../devices/status/status-line.tsx';
import classes from './device-nav.module.css';

/** The height of an item, in CSS pixels at the usual size of text. */
export const ITEM_HEIGHT = 62;

interface Props {
  readonly device: DeviceSummary;
  readonly active: boolean;
  readonly index: number;
  readonly count: number;
  readonly top: number;
}

/** A device in the list: its wellness, its name and its status. */
export const DeviceNavItem = memo(function DeviceNavItem({ device, active, index, count, top }: Props) {
  const { t } = useTranslation('app');
  const name = nameOf(device);
  return (
    <li
      className={classes.item}
      style={{ height: ITEM_HEIGHT * textScale(), transform: `translateY(${top}px)` }}
      aria-setsize={count}
      aria-posinset={index + 1}
    >
      <a className={classes.link} href={useDeviceLink(device.id)} aria-current={active ? 'page' : undefined}>
        <span className={classes.name} title={name}>
          <WellDot device={device} />
          <bdi>{name}</bdi>
          <NodeBadge />
        </span>
        <span className={classes.status}>
          {device.mine ? (
            <StatusLine device={device} isBrief />
          ) : (
            <span className={classes.other}>{t(device.claimed ? 'nav.claimed' : 'nav.other')}</span>
          )}
        </span>
      </a>
    </li>
  );
});
