import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { RangeRule } from '../../../../shared/alerts/rule.ts';
import { bandOf, shownRange } from '../../../../shared/alerts/shown-range.ts';
import { type AnyField, DERIVED_NAMES } from '../../../../shared/measures/derived.ts';
import { PERCENT_FULL } from '../../../../shared/measures/field-scale.ts';
import type { DeviceSummary } from '../../../../shared/owner-api/devices.ts';
import type { FieldName } from '../../../../shared/protocol/fields.ts';
import { OutlookLines } from '../../../alerts/outlook/outlook-lines.tsx';
import { useOutOfRange, useRanges } from '../../../alerts/rules/use-ranges.ts';
import { useSparklineBands } from '../../../alerts/rules/use-stage-spans.ts';
import { WellSign } from '../../../alerts/well-sign.tsx';
import { LoggersOnly, useMe } from '../../../api/me.tsx';
import { useNode } from '../../../api/node-connection.ts';
import { useKnownChoices } from '../../../api/queries/choices.ts';
import { useOverview } from '../../../api/queries/overview.ts';
import { Icon } from '../../../components/icon.tsx';
import { FieldValue } from '../../../components/values/field-value.tsx';
import { StaleMark } from '../../../components/values/newest-age.tsx';
import { Sparkline } from '../../../components/values/sparkline.tsx';
import { CyclesOfDevices } from '../../../crops/cycles-of-devices.tsx';
import { TasksOfDevices } from '../../../crops/tasks-of-devices.tsx';
import { useDeviceLink } from '../../../devices/listed.ts';
import { nameOf } from '../../../devices/names.ts';
import { NodeBadge } from '../../../devices/nodes/node-badge.tsx';
import { StatusLine, useDeviceStatus } from '../../../devices/status/status-line.tsx';
import { useScales } from '../../../devices/use-scales.ts';
import { LogButton } from '../../../journal/log-button.tsx';
import { useNewest, useOpenedSparkline } from '../../../opening/opened.ts';
import { UnlockButton } from '../../../opening/unlock-button.tsx';
import { linkTo } from '../../../router/router.ts';
import { isPlaced } from '../../../setup/setup-steps.ts';
import { valuesOf } from './card-layout.ts';
import classes from './device-card.module.css';
import { Tank } from './tank.tsx';

interface Props {
  readonly device: DeviceSummary;
  /** In the owner's order. */
  readonly fields: readonly FieldName[];
  readonly isRoomy: boolean;
  /** The name of the device's group, where the card stands for the group. */
  readonly place: string | undefined;
}

/** Shows a device as a place: whether it is well, the values that matter there, and the rules that watch them. */
export const DeviceCard = memo(function DeviceCard({ device, fields, isRoomy, place }: Props) {
  const { t } = useTranslation('app');
  const scales = useScales(device);
  const shown = useNewest(device);
  const outsideOf = useOutOfRange(device);
  const ranges = useRanges(device);
  const sparklines = useOpenedSparkline(device);
  const bands = useSparklineBands(device, ranges);
  const name = nameOf(device);
  // All values of a silent device are old, which the card says once.
  const isSilent = useDeviceStatus(device) === 'silent';
  const sent = fields.filter((field) => device.newest[field] !== null);
  const sealed = sent.filter((field) => shown(field).kind === 'sealed');
  const level = shown('waterLevel');
  const hasTank = scales.waterLevel.unit === PERCENT_FULL && (level.kind === 'plain' || level.kind === 'opened');
  const open = sent.filter((field) => !sealed.includes(field) && !(hasTank && field === 'waterLevel'));
  const derived = DERIVED_NAMES.filter((field) => ['plain', 'opened'].includes(shown(field).kind));
  const { large, small } = valuesOf(open, isRoomy, hasTank);
  const outside = ranges.filter(({ field }) => outsideOf(field, shown(field)) !== null).map(({ field }) => field);
  const label = (field: AnyField) => t(`fieldShort.${scales[field].label}`);
  const band = bandOf('waterLevel', ranges);
  return (
    <article className={classes.card} aria-label={name} data-silent={isSilent || undefined}>
      <div className={classes.top}>
        <h3 className={classes.name}>
          <a className={classes.link} href={useDeviceLink(device.id)} title={name} data-device>
            <bdi>{name}</bdi>
          </a>
        </h3>
        <WellSign device={device} isOutside={outside.length > 0} />
        <span className={classes.under}>
          {place === undefined || place === name ? null : <bdi className={classes.place}>{place}</bdi>}
          <StatusLine device={device} isBrief />
          <NodeBadge />
        </span>
      </div>
      {large.length === 0 && !hasTank ? null : (
        <dl className={classes.values} data-roomy={isRoomy || undefined}>
          {large.map((field) => {
            const value = shown(field);
            const isOut = outsideOf(field, value);
            return (
              <div key={field} className={classes.value}>
                <dt title={t(`field.${scales[field].label}`)}>
                  {label(field)} <span>{scales[field].symbol}</span>
                </dt>
                <dd>
                  <span className={classes.number}>
                    <FieldValue value={value} scale={scales[field]} outside={isOut} isRounded hasNoUnit />
                    {isSilent ? null : <StaleMark newest={device.newest[field]!} device={device} />}
                  </span>
                  <Sparkline
                    values={sparklines[field]}
                    isReversed={scales[field].isReversed}
                    bands={bands[field]}
                    isOutside={isOut !== null}
                  />
                </dd>
              </div>
            );
          })}
          {hasTank ? (
            <Tank
              label={label('waterLevel')}
              value={level}
              scale={scales.waterLevel}
              outside={outsideOf('waterLevel', level)}
              least={band === null ? null : shownRange(scales.waterLevel, band).low}
            />
          ) : null}
        </dl>
      )}
      {sealed.length === 0 ? null : (
        <p className={classes.locked}>
          <Icon name="lock" size={14} />
          <span>{t('card.locked', { fields: sealed.map(label).join(', ') })}</span>
          <UnlockButton />
        </p>
      )}
      <div className={classes.foot}>
        {small.length + derived.length === 0 ? null : (
          <dl className={classes.small}>
            {small.map((field) => (
              <div key={field}>
                <dt>{label(field)}</dt>
                <dd>
                  <FieldValue
                    value={shown(field)}
                    scale={scales[field]}
                    outside={outsideOf(field, shown(field))}
                    isRounded
                  />
                  {isSilent ? null : <StaleMark newest={device.newest[field]!} device={device} />}
                </dd>
              </div>
            ))}
            {derived.map((field) => (
              <div key={field} data-derived>
                <dt>{label(field)}</dt>
                <dd className={classes.derived}>
                  <FieldValue
                    value={shown(field)}
                    scale={scales[field]}
                    outside={outsideOf(field, shown(field))}
                    isRounded
                  />
                </dd>
              </div>
            ))}
          </dl>
        )}
        <OutlookLines device={device} most={1} className={classes.outlook ?? ''} />
        <CyclesOfDevices ids={[device.id]} className={classes.crops ?? ''} />
        <TasksOfDevices devices={[device]} className={classes.tasks ?? ''} />
        <div className={classes.last}>
          <Watched device={device} ranges={ranges} outside={outside.length} />
          {device.mine ? (
            <LoggersOnly>
              <LogButton devices={[{ id: device.id, name }]} name={name} className={classes.log ?? ''} />
            </LoggersOnly>
          ) : null}
        </div>
      </div>
    </article>
  );
});

interface WatchedProps {
  readonly device: DeviceSummary;
  readonly ranges: readonly RangeRule[];
  /** The number of ranges that a value is outside of. */
  readonly outside: number;
}

/**
 * Shows the rules of a device in one line ("Basil: 5 ranges, 2 outside"), or that it has none, with a link to set them.
 */
function Watched({ device, ranges, outside }: WatchedProps) {
  const { t } = useTranslation('app');
  const isOwner = useMe().role === 'owner';
  const href = useDeviceLink(device.id);
  if (!device.mine || device.notes.status !== 0) return null;
  if (ranges.length === 0) {
    if (device.lastReceivedAt === null) return null;
    return <Unwatched device={device} href={isOwner ? href : null} />;
  }
  const names = new Set(ranges.map((rule) => rule.name));
  const [only] = names.size === 1 ? names : [];
  const count = t('card.ranges', { count: ranges.length });
  const words = t(outside === 0 ? 'card.inside' : 'card.outside', { ranges: count, count: outside });
  return (
    <p className={classes.watched}>
      {only === undefined || only === '' || ranges.length === 1 ? words : t('card.ofCrop', { name: only, words })}
    </p>
  );
}

/**
 * Says that nothing is watched, and asks the owner what grows there until the owner answers. `href` is the device's
 * page; null for viewers.
 */
function Unwatched({ device, href }: { device: DeviceSummary; href: string | null }) {
  const { t } = useTranslation('app');
  const node = useNode();
  const choices = useKnownChoices();
  const demo = useOverview().data?.demoDevices ?? [];
  const name = nameOf(device);
  const isAnswered = choices === undefined || choices.setup.unwatched.includes(device.id);
  const isAsked = node.own === node && !isAnswered && !demo.includes(device.id);
  const ask = !isAsked ? 'setRanges' : isPlaced(device, choices.groups) ? 'sayCrop' : 'sayPlace';
  return (
    <p className={classes.watched}>
      {t(ask === 'sayPlace' && href !== null ? 'card.new' : 'card.unwatched')}{' '}
      {href === null ? null : (
        <a
          className={classes.act}
          href={isAsked ? linkTo({ page: 'setup' }) : href}
          aria-label={t(`card.${ask}Of`, { name })}
        >
          {t(`card.${ask}`)}
        </a>
      )}
    </p>
  );
}
