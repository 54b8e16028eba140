import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import { useOutOfRange } from '../../alerts/rules/use-ranges.ts';
import { FieldValue } from '../../components/values/field-value.tsx';
import { StaleMark } from '../../components/values/newest-age.tsx';
import { Sparkline } from '../../components/values/sparkline.tsx';
import { useDeviceLink } from '../../devices/listed.ts';
import { nameOf } from '../../devices/names.ts';
import { NodeBadge } from '../../devices/nodes/node-badge.tsx';
import { StatusDot, StatusLine } from '../../devices/status/status-line.tsx';
import { useScales } from '../../devices/use-scales.ts';
import { SHOWN_FIELDS } from '../../format/values.ts';
import { useNewest, useOpenedSparkline } from '../../opening/opened.ts';
import classes from './device-nav.module.css';

/** Height of an item in px. */
export const ITEM_HEIGHT = 74;

/** How many values there is room for. */
const VALUES = 2;

interface Props {
  readonly device: DeviceSummary;
  readonly active: boolean;
  readonly index: number;
  readonly count: number;
  readonly top: number;
}

/** A device in the list: status, newest values, and a sparkline of the first of them that has one. */
export const DeviceNavItem = memo(function DeviceNavItem({ device, active, index, count, top }: Props) {
  const { t } = useTranslation('app');
  const scales = useScales(device);
  const fields = SHOWN_FIELDS.filter((field) => device.newest[field] !== null).slice(0, VALUES);
  const shown = useNewest(device);
  const outside = useOutOfRange(device);
  const sparklines = useOpenedSparkline(device);
  // Of a field that is shown: beside a sealed value another field's line would be taken for its own.
  const charted = fields.find((field) => sparklines[field] !== undefined);
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
        href={useDeviceLink(device.id)}
        aria-current={active ? 'page' : undefined}
        data-other={!device.mine || undefined}
      >
        <span className={classes.name} title={name}>
          <StatusDot device={device} />
          <bdi>{name}</bdi>
          <NodeBadge />
        </span>
        <span className={classes.status}>
          <StatusLine device={device} />
        </span>
        <span className={classes.values}>
          {fields.map((field) => (
            <span key={field} className={classes.value}>
              <StaleMark newest={device.newest[field]!} device={device} />
              <span className={classes.field}>{t(`fieldShort.${scales[field].label}`)}</span>{' '}
              <FieldValue value={shown(field)} scale={scales[field]} outside={outside(field, shown(field))} />
            </span>
          ))}
        </span>
        {/* Of others there are no sparklines. */}
        {device.mine ? (
          <span className={classes.spark}>
            <Sparkline
              values={charted === undefined ? undefined : sparklines[charted]}
              isReversed={charted !== undefined && scales[charted].isReversed}
            />
          </span>
        ) : (
          <span className={classes.other}>{t(device.claimed ? 'nav.claimed' : 'nav.other')}</span>
        )}
      </a>
    </li>
  );
});
