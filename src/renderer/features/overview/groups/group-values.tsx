import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { DERIVED_NAMES } from '../../../../shared/measures/derived.ts';
import type { FieldName } from '../../../../shared/protocol/fields.ts';
import { useOutOfRange, useRanges } from '../../../alerts/rules/use-ranges.ts';
import { useSparklineBands } from '../../../alerts/rules/use-stage-spans.ts';
import { WellDot } from '../../../alerts/well-sign.tsx';
import { NodeProvider, useLink } from '../../../api/node-connection.ts';
import { FieldValue } from '../../../components/values/field-value.tsx';
import { StaleMark } from '../../../components/values/newest-age.tsx';
import { Sparkline } from '../../../components/values/sparkline.tsx';
import { type ListedDevice, listKey, useDeviceLink } from '../../../devices/listed.ts';
import { nameOf } from '../../../devices/names.ts';
import { StatusLine, useDeviceStatus } from '../../../devices/status/status-line.tsx';
import { useScales, useSharedLabels } from '../../../devices/use-scales.ts';
import { shownNumber } from '../../../format/values.ts';
import { useNewest, useOpenedSparkline } from '../../../opening/opened.ts';
import classes from './group-card.module.css';

interface ValuesProps {
  readonly devices: readonly ListedDevice[];
  readonly shown: readonly ListedDevice[];
  readonly columns: readonly FieldName[];
  /** The unit of a field; null if the devices have several. */
  readonly symbolOf: (field: FieldName) => string | null;
  /** Whether each silent device says for how long. */
  readonly hasAges: boolean;
}

/** The devices of a group as rows: state, name, and each value with its course and its range. */
export function Values({ devices, shown, columns, symbolOf, hasAges }: ValuesProps) {
  const { t } = useTranslation('app');
  const labelOf = useSharedLabels(devices);
  return (
    <table className={classes.devices} style={{ '--columns': columns.length } as CSSProperties}>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">{t('nav.label')}</span>
          </th>
          {columns.map((field) => (
            <th key={field} scope="col" title={t(`field.${labelOf(field)}`)}>
              {t(`fieldShort.${labelOf(field)}`)} <span className={classes.unit}>{symbolOf(field)}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {shown.map((device) => (
          <NodeProvider key={listKey(device)} value={device.node}>
            <Row device={device} columns={columns} hasUnit={(field) => symbolOf(field) === null} hasAge={hasAges} />
          </NodeProvider>
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly device: ListedDevice;
  readonly columns: readonly FieldName[];
  /** Whether a cell names its unit because its column has several. */
  readonly hasUnit: (field: FieldName) => boolean;
  readonly hasAge: boolean;
}

function Row({ device, columns, hasUnit, hasAge }: RowProps) {
  const { t } = useTranslation('app');
  const scales = useScales(device);
  const shown = useNewest(device);
  const outsideOf = useOutOfRange(device);
  const status = useDeviceStatus(device);
  const isAway = useLink().state === 'lost';
  const sparklines = useOpenedSparkline(device);
  const ranges = useRanges(device);
  const bands = useSparklineBands(device, ranges);
  const isOutside = ranges.some(({ field }) => outsideOf(field, shown(field)) !== null);
  const name = nameOf(device);
  const derived = DERIVED_NAMES.filter((field) => shownNumber(shown(field)) !== null);
  return (
    <tr data-silent={status === 'silent' || undefined}>
      <th scope="row">
        <span className={classes.device}>
          <WellDot device={device} isOutside={isOutside} />
          <a href={useDeviceLink(device.id)} title={name} data-device>
            <bdi>{name}</bdi>
          </a>
        </span>
        {isAway ? null : status !== 'online' ? (
          <StatusLine device={device} isBrief hasNoAge={!hasAge || status !== 'silent'} />
        ) : (
          derived.map((field) => (
            <span key={field} className={classes.derived} data-derived>
              {t(`fieldShort.${scales[field].label}`)}{' '}
              <FieldValue
                value={shown(field)}
                scale={scales[field]}
                outside={outsideOf(field, shown(field))}
                isRounded
              />
            </span>
          ))
        )}
      </th>
      {columns.map((field) => {
        const value = shown(field);
        const isOut = outsideOf(field, value);
        return (
          <td key={field} data-label={t(`fieldShort.${scales[field].label}`)}>
            <span className={classes.number}>
              <FieldValue value={value} scale={scales[field]} outside={isOut} hasNoUnit={!hasUnit(field)} isRounded />
              {status === 'silent' || device.newest[field] === null ? null : (
                <StaleMark newest={device.newest[field]} device={device} />
              )}
            </span>
            {shownNumber(value) === null ? null : (
              <Sparkline
                values={sparklines[field]}
                isReversed={scales[field].isReversed}
                bands={bands[field]}
                isOutside={isOut !== null}
              />
            )}
          </td>
        );
      })}
    </tr>
  );
}
