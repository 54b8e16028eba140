import { memo } from 'react';
import type { DeviceSummary } from '../../shared/owner-api.ts';
import { FieldValue } from '../components/field-value.tsx';
import { Sparkline } from '../components/sparkline.tsx';
import { useNewest, useOpenedSparkline } from '../features/keys/opening/opened.ts';
import { StatusDot, StatusLine } from '../features/overview/status-line.tsx';
import { fieldUnits } from '../format.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { nameOf } from '../names.ts';
import { linkTo } from '../router.ts';
import { SHOWN_FIELDS } from '../values.ts';
import classes from './device-nav.module.css';

/** Height of an item in px. */
export const ITEM_HEIGHT = 74;

/** As many values as have room. */
const VALUES = 2;

interface Props {
  readonly device: DeviceSummary;
  readonly active: boolean;
  readonly index: number;
  readonly count: number;
  readonly top: number;
}

/** A device at a glance: how it fares, its newest values, and the last hours of the first of them. */
export const DeviceNavItem = memo(function DeviceNavItem({ device, active, index, count, top }: Props) {
  const { t } = useTranslation('app');
  const units = fieldUnits(device);
  const fields = SHOWN_FIELDS.filter((field) => device.newest[field] !== null).slice(0, VALUES);
  const shown = useNewest(device);
  const sparklines = useOpenedSparkline(device);
  const charted = SHOWN_FIELDS.find((field) => sparklines[field] !== undefined);
  const name = nameOf(device);
  return (
    <li
      className={classes.item}
      style={{ height: ITEM_HEIGHT, transform: `translateY(${top}px)` }}
      aria-setsize={count}
      aria-posinset={index + 1}
    >
      <a
        className={classes.link}
        href={linkTo({ page: 'device', id: device.id })}
        aria-current={active ? 'page' : undefined}
      >
        <span className={classes.name} title={name}>
          <StatusDot device={device} />
          <bdi>{name}</bdi>
        </span>
        <span className={classes.status}>
          <StatusLine device={device} />
          {device.mine ? null : (
            <span className={classes.other}>{t(device.claimed ? 'nav.claimed' : 'nav.other')}</span>
          )}
        </span>
        <span className={classes.values}>
          {fields.map((field) => (
            <span key={field} className={classes.value}>
              <span className={classes.field}>{t(`fieldShort.${field}`)}</span>{' '}
              <FieldValue field={field} value={shown(field)} unit={units[field]} />
            </span>
          ))}
        </span>
        <span className={classes.spark}>
          <Sparkline values={charted === undefined ? undefined : sparklines[charted]} />
        </span>
      </a>
    </li>
  );
});
