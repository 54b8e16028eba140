import { useTranslation } from 'react-i18next';
import type { DeviceGroup } from '../../../../shared/owner-data/choices.ts';
import type { FieldName } from '../../../../shared/protocol/fields.ts';
import { COUNTED } from '../../../../shared/wellness/sentence.ts';
import { OutlookLines } from '../../../alerts/outlook/outlook-lines.tsx';
import { useOutOfRange, useRangesOfListed } from '../../../alerts/rules/use-ranges.ts';
import { useWellnessOf } from '../../../alerts/use-wellness.ts';
import { Sign, WellDot } from '../../../alerts/well-sign.tsx';
import { NodeProvider } from '../../../api/node-connection.ts';
import { useAlertsOf } from '../../../api/queries/alerts.ts';
import { useNodes } from '../../../api/queries/nodes.ts';
import { FieldValue } from '../../../components/values/field-value.tsx';
import { StaleMark } from '../../../components/values/newest-age.tsx';
import { CyclesOfDevices } from '../../../crops/cycles-of-devices.tsx';
import { type ListedDevice, listKey, useDeviceLink } from '../../../devices/listed.ts';
import { nameOf } from '../../../devices/names.ts';
import { StatusLine, useDeviceStatus } from '../../../devices/status/status-line.tsx';
import { useScales, useScalesOf, useSharedLabels } from '../../../devices/use-scales.ts';
import { useFormat } from '../../../format/format.ts';
import { useNewest } from '../../../opening/opened.ts';
import { linkTo } from '../../../router/router.ts';
import classes from './group-card.module.css';

/** The number of values of each device, and of devices, on the card of a group. */
const VALUES = 3;
const SHOWN = 6;

interface Props {
  readonly group: DeviceGroup;
  readonly devices: readonly ListedDevice[];
  /** In the owner's order. The first ones that a device of the group has sent are shown. */
  readonly fields: readonly FieldName[];
}

/**
 * Shows a group as a place: how many of its devices need the owner, its devices with the values that matter, the worst
 * state first, and what is expected.
 */
export function GroupCard({ group, devices, fields }: Props) {
  const { t } = useTranslation('app');
  const format = useFormat();
  const wellnessOf = useWellnessOf();
  const labelOf = useSharedLabels(devices);
  const scalesOf = useScalesOf();
  const stateOf = (device: ListedDevice) => wellnessOf(device) ?? 'unknown';
  const present = COUNTED.filter((state) => devices.some((device) => stateOf(device) === state));
  const rank = (device: ListedDevice) => [...COUNTED, 'off', 'foreign'].indexOf(stateOf(device));
  const shown = devices.toSorted((a, b) => rank(a) - rank(b)).slice(0, SHOWN);
  const columns = fields.filter((field) => devices.some(({ newest }) => newest[field] !== null)).slice(0, VALUES);
  const [worst = 'off'] = present;
  const count = (state: (typeof COUNTED)[number]) => devices.filter((device) => stateOf(device) === state).length;
  const href = `${linkTo({ page: 'overview' })}?group=${group.id}`;
  const symbolOf = (field: FieldName) => {
    const symbols = new Set(devices.map((device) => scalesOf(device)[field].symbol));
    return symbols.size === 1 ? [...symbols][0]! : null;
  };
  return (
    <article className={classes.card} aria-label={group.name}>
      <div className={classes.top}>
        <h2 className={classes.name}>
          <a href={href}>
            <bdi>{group.name}</bdi>
          </a>
        </h2>
        <Sign state={worst}>
          {present.length > 1 || worst === 'needsYou'
            ? t(`sentence.rest.${present[0]!}`, { count: count(present[0]!) })
            : t(`wellness.${worst}`)}
        </Sign>
        <p className={classes.under}>
          {[
            t('overview.countAll', { count: devices.length, number: format.integer(devices.length) }),
            ...present.slice(1).map((state) => t(`sentence.rest.${state}`, { count: count(state) })),
          ].join(' · ')}
        </p>
      </div>
      <table className={classes.devices}>
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
              <Row device={device} columns={columns} hasUnit={(field) => symbolOf(field) === null} />
            </NodeProvider>
          ))}
        </tbody>
      </table>
      <div className={classes.foot}>
        {devices.length > shown.length ? (
          <a href={href}>{t('common.more', { count: devices.length - SHOWN })}</a>
        ) : null}
        {shown.map((device) => (
          <NodeProvider key={listKey(device)} value={device.node}>
            <OutlookLines device={device} most={1} isNamed className={classes.outlook ?? ''} />
          </NodeProvider>
        ))}
        <CyclesOfDevices ids={devices.map(({ id }) => id)} className={classes.crops ?? ''} />
        <Watched devices={devices} />
      </div>
    </article>
  );
}

interface RowProps {
  readonly device: ListedDevice;
  readonly columns: readonly FieldName[];
  /** Whether a cell names its unit because its column has several. */
  readonly hasUnit: (field: FieldName) => boolean;
}

function Row({ device, columns, hasUnit }: RowProps) {
  const scales = useScales(device);
  const shown = useNewest(device);
  const outsideOf = useOutOfRange(device);
  const status = useDeviceStatus(device);
  const name = nameOf(device);
  return (
    <tr data-silent={status === 'silent' || undefined}>
      <th scope="row">
        <span className={classes.device}>
          <WellDot device={device} />
          <a href={useDeviceLink(device.id)} title={name} data-device>
            <bdi>{name}</bdi>
          </a>
        </span>
        {status === 'online' ? null : <StatusLine device={device} isBrief />}
      </th>
      {columns.map((field) => (
        <td key={field}>
          <FieldValue
            value={shown(field)}
            scale={scales[field]}
            outside={outsideOf(field, shown(field))}
            hasNoUnit={!hasUnit(field)}
            isRounded
          />
          {status === 'silent' || device.newest[field] === null ? null : (
            <StaleMark newest={device.newest[field]} device={device} />
          )}
        </td>
      ))}
    </tr>
  );
}

/** Shows how many ranges watch the devices of a group, and how many values are outside of one. */
function Watched({ devices }: { devices: readonly ListedDevice[] }) {
  const { t } = useTranslation('app');
  const nodes = useNodes();
  const alerts = useAlertsOf(nodes);
  const rangesOf = useRangesOfListed();
  const ranges = devices.reduce((sum, device) => sum + rangesOf(device).length, 0);
  const outside = devices.flatMap(({ id, node }) =>
    (alerts[nodes.indexOf(node)] ?? []).filter(({ kind, device }) => kind === 'range' && device === id),
  ).length;
  const words = t('card.ranges', { count: ranges });
  return (
    <p className={classes.watched}>
      {ranges === 0
        ? t('card.unwatched')
        : t(outside === 0 ? 'card.inside' : 'card.outside', { ranges: words, count: outside })}
    </p>
  );
}
