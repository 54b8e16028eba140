import { memo } from 'react';
import type { DeviceSummary } from '../../../shared/owner-api.ts';
import type { FieldName } from '../../../shared/protocol/fields.ts';
import { Age } from '../../components/age.tsx';
import { FieldValue } from '../../components/field-value.tsx';
import { Sparkline } from '../../components/sparkline.tsx';
import { fieldUnits } from '../../format.ts';
import { nameOf } from '../../names.ts';
import { linkTo } from '../../router.ts';
import { useNewest, useOpenedSparkline } from '../keys/opening/opened.ts';
import { DeviceBadges } from './device-badges.tsx';
import classes from './device-table.module.css';
import { StatusDot, StatusLine } from './status-line.tsx';

/** Height of a row in px, the same for all, so that what is out of view need not be drawn. */
export const ROW_HEIGHT = 76;

interface Props {
  readonly device: DeviceSummary;
  readonly fields: readonly FieldName[];
  /** Its place among all rows, from 0. */
  readonly index: number;
  /** Its distance from the top of the list, in px. */
  readonly top: number;
}

/** A device in the overview: who it is and how it fares, then the newest value of each field with its age. */
export const DeviceRow = memo(function DeviceRow({ device, fields, index, top }: Props) {
  const units = fieldUnits(device);
  const name = nameOf(device);
  const shown = useNewest(device);
  const sparklines = useOpenedSparkline(device);
  return (
    // biome-ignore-start lint/a11y/useSemanticElements: rows lie where they are put, which a <tr> does not
    // biome-ignore-start lint/a11y/useFocusableInteractive: the row's link takes the focus
    <div
      role="row"
      aria-rowindex={index + 2}
      className={classes.row}
      style={{ height: ROW_HEIGHT, transform: `translateY(${top}px)` }}
    >
      <div role="cell" className={classes.device}>
        <span className={classes.title}>
          <StatusDot device={device} />
          <a className={classes.link} href={linkTo({ page: 'device', id: device.id })} title={name}>
            <bdi>{name}</bdi>
          </a>
        </span>
        <StatusLine device={device} />
        <DeviceBadges device={device} />
      </div>
      {fields.map((field) => {
        const newest = device.newest[field];
        return (
          <div role="cell" key={field} className={classes.field}>
            <FieldValue field={field} value={shown(field)} unit={units[field]} />
            <Sparkline values={sparklines[field]} />
            <span className={classes.age}>{newest === null ? null : <Age at={newest.receivedAt} />}</span>
          </div>
        );
      })}
    </div>
    // biome-ignore-end lint/a11y/useFocusableInteractive: see above
    // biome-ignore-end lint/a11y/useSemanticElements: see above
  );
});
