import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceSummary, NewestValue } from '../../../../shared/owner-api/devices.ts';
import type { FieldName } from '../../../../shared/protocol/fields.ts';
import { useOutOfRange } from '../../../alerts/rules/use-ranges.ts';
import { WellDot } from '../../../alerts/well-sign.tsx';
import { fieldValue } from '../../../components/values/field-value.tsx';
import { NewestAge, staleMark } from '../../../components/values/newest-age.tsx';
import { Sparkline } from '../../../components/values/sparkline.tsx';
import { useDeviceLink } from '../../../devices/listed.ts';
import { nameOf } from '../../../devices/names.ts';
import { DeviceBadges } from '../../../devices/status/device-badges.tsx';
import { StatusLine } from '../../../devices/status/status-line.tsx';
import { useScales } from '../../../devices/use-scales.ts';
import { useFormat } from '../../../format/format.ts';
import { hasOwnAge, isStale } from '../../../format/freshness.ts';
import { useFromNow } from '../../../now.ts';
import { useNewest, useOpenedSparkline } from '../../../opening/opened.ts';
import classes from './device-table.module.css';
import type { TableLayout } from './table-layout.ts';

interface Props {
  readonly device: DeviceSummary;
  readonly layout: TableLayout;
  /** Whether a column has distances of some devices and levels of others, so that each cell names its quantity. */
  readonly isMixed: (field: FieldName) => boolean;
  /** The index of the device among all rows, from 0. */
  readonly index: number;
  /** The row's distance from the top of the list, in px. */
  readonly top: number;
}

/**
 * Shows a device as a row: name and status, then the newest value of each field, with its age if it differs from the
 * device's.
 */
export const DeviceRow = memo(function DeviceRow({ device, layout, isMixed, index, top }: Props) {
  const { t } = useTranslation('app');
  const scales = useScales(device);
  const name = nameOf(device);
  const shown = useNewest(device);
  const outside = useOutOfRange(device);
  const sparklines = useOpenedSparkline(device);
  const format = useFormat();
  // One timer for the row: one for each cell costs more than the cells' own content.
  const stale = useFromNow(1000, (now) => {
    const isOld = (value: NewestValue | null) => value !== null && isStale(value, device, now);
    return layout.fields.filter((field) => isOld(device.newest[field])).join();
  }).split(',');
  return (
    // biome-ignore-start lint/a11y/useSemanticElements: rows lie where they are put, which a <tr> does not
    // biome-ignore-start lint/a11y/useFocusableInteractive: the row's link takes the focus
    <div role="row" aria-rowindex={index + 2} className={classes.row} style={{ top }}>
      <div role="cell" className={classes.device}>
        <span className={classes.title}>
          <WellDot device={device} />
          <a className={classes.link} href={useDeviceLink(device.id)} title={name} data-device>
            <bdi>{name}</bdi>
          </a>
        </span>
        <StatusLine device={device} />
        <DeviceBadges device={device} />
      </div>
      {layout.fields.map((field) => {
        const newest = device.newest[field];
        const value = shown(field);
        return (
          <div role="cell" key={field} className={classes.field}>
            {fieldValue(t, format, { value, scale: scales[field], outside: outside(field, value) })}
            <Sparkline values={sparklines[field]} isReversed={scales[field].isReversed} />
            <span className={classes.age}>
              {isMixed(field) ? <span>{t(`fieldShort.${scales[field].label}`)} </span> : null}
              {newest === null ? null : hasOwnAge(newest, device) ? (
                <NewestAge newest={newest} device={device} isShort />
              ) : stale.includes(field) ? (
                staleMark(t, format, newest)
              ) : null}
            </span>
          </div>
        );
      })}
    </div>
    // biome-ignore-end lint/a11y/useFocusableInteractive: see above
    // biome-ignore-end lint/a11y/useSemanticElements: see above
  );
});
