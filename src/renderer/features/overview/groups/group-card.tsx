import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { rangeAt } from '../../../../shared/alerts/device-range.ts';
import { sideOf } from '../../../../shared/alerts/shown-range.ts';
import { wholeMinutes } from '../../../../shared/format/spans.ts';
import type { DeviceGroup } from '../../../../shared/owner-data/choices.ts';
import type { FieldName } from '../../../../shared/protocol/fields.ts';
import { COUNTED } from '../../../../shared/wellness/sentence.ts';
import { deviceStatus } from '../../../../shared/wellness/status.ts';
import { OutlookLines } from '../../../alerts/outlook/outlook-lines.tsx';
import { useRangesOfListed } from '../../../alerts/rules/use-ranges.ts';
import { useWellnesses } from '../../../alerts/use-wellness.ts';
import { Sign } from '../../../alerts/well-sign.tsx';
import { LoggersOnly } from '../../../api/me.tsx';
import { type NodeConnection, NodeProvider, useLink } from '../../../api/node-connection.ts';
import { Icon } from '../../../components/icon.tsx';
import { CyclesOfDevices, useRunningCycles } from '../../../crops/cycles-of-devices.tsx';
import { TasksOfDevices } from '../../../crops/tasks-of-devices.tsx';
import { type ListedDevice, listKey } from '../../../devices/listed.ts';
import { nameOf } from '../../../devices/names.ts';
import { StatusLine } from '../../../devices/status/status-line.tsx';
import { useScalesOf, useSharedLabels } from '../../../devices/use-scales.ts';
import { useFormat } from '../../../format/format.ts';
import { LogButton } from '../../../journal/log-button.tsx';
import { useFromNow } from '../../../now.ts';
import { useNewestNumbers } from '../../../opening/opened.ts';
import { UnlockButton, useLocked } from '../../../opening/unlock-button.tsx';
import { linkTo } from '../../../router/router.ts';
import classes from './group-card.module.css';
import { Values } from './group-values.tsx';
import { LowestTank, type NumberOf, sendersOf, useLowestTank } from './lowest-tank.tsx';

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
 * state first, its lowest tank, what is expected, and what is to do. Each value has the course and the range of its own
 * device; nothing is averaged.
 */
export const GroupCard = memo(function GroupCard({ group, devices, fields }: Props) {
  const { t } = useTranslation('app');
  const format = useFormat();
  const wellnesses = useWellnesses(devices);
  const scalesOf = useScalesOf();
  const states = new Map(devices.map((device, index) => [device, wellnesses[index] ?? 'unknown']));
  const stateOf = (device: ListedDevice) => states.get(device)!;
  const present = COUNTED.filter((state) => devices.some((device) => stateOf(device) === state));
  const rank = (device: ListedDevice) => [...COUNTED, 'off', 'foreign'].indexOf(stateOf(device));
  const shown = devices.toSorted((a, b) => rank(a) - rank(b)).slice(0, SHOWN);
  const locked = useLockedFields(devices, fields);
  const numberOf = useNewestNumbers(devices, true);
  const tank = useLowestTank(devices, numberOf);
  const watched = useWatched(devices, numberOf);
  const columns = fields
    .filter((field) => !locked.everywhere.includes(field) && sendersOf(devices, field).length > 0)
    .filter((field) => field !== 'waterLevel' || tank?.isOnly !== true)
    .slice(0, VALUES);
  const [worst = 'off'] = present;
  // A value is out of its range, and there is no alert for it yet.
  const isOutside = watched.outside > 0 && !present.some((state) => state === 'needsYou' || state === 'known');
  const count = (state: (typeof COUNTED)[number]) => devices.filter((device) => stateOf(device) === state).length;
  const href = `${linkTo({ page: 'overview' })}?group=${group.id}`;
  const silence = useLongestSilence(devices);
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
        <Sign state={isOutside ? 'outside' : worst}>
          {isOutside
            ? t('wellness.outside')
            : present.length > 1 || worst === 'needsYou'
              ? t(`sentence.rest.${present[0]!}`, { count: count(present[0]!) })
              : t(`wellness.${worst}`)}
        </Sign>
        <p className={classes.under}>
          {[
            t('overview.countAll', { count: devices.length, number: format.integer(devices.length) }),
            ...present.slice(isOutside ? 0 : 1).map((state) => t(`sentence.rest.${state}`, { count: count(state) })),
            ...(silence === null ? [] : [t('card.silentUpTo', { span: silence })]),
          ].join(' · ')}
          <Away devices={devices} />
        </p>
      </div>
      <Values devices={devices} shown={shown} columns={columns} symbolOf={symbolOf} hasAges={silence === null} />
      {locked.fields.length === 0 ? null : <Locked devices={devices} fields={locked.fields} />}
      <div className={classes.foot}>
        {tank === null ? null : (
          <NodeProvider value={tank.device.node}>
            <LowestTank device={tank.device} isOneOfSeveral={tank.isOneOfSeveral} />
          </NodeProvider>
        )}
        {shown.map((device) => (
          <NodeProvider key={listKey(device)} value={device.node}>
            <OutlookLines
              device={device}
              most={1}
              without={device === tank?.device ? 'waterLevel' : undefined}
              isNamed
              className={classes.outlook ?? ''}
            />
          </NodeProvider>
        ))}
        {byNode(devices).map(([node, there]) => (
          <NodeProvider key={node.id} value={node}>
            <CyclesOfDevices ids={there.map(({ id }) => id)} className={classes.crops ?? ''} />
            <TasksOfDevices devices={there} className={classes.tasks ?? ''} isNamed />
          </NodeProvider>
        ))}
        <div className={classes.last}>
          {devices.length > shown.length ? (
            <a href={href}>{t('common.more', { count: devices.length - SHOWN })}</a>
          ) : null}
          <Watched {...watched} />
          <LogOfGroup group={group} devices={devices} />
        </div>
      </div>
    </article>
  );
}, areSame);

/** Returns whether a card stays as it is. A change of one device makes new lists for all groups. */
function areSame(before: Props, now: Props): boolean {
  return (
    before.group === now.group &&
    before.fields === now.fields &&
    before.devices.length === now.devices.length &&
    before.devices.every((device, index) => device === now.devices[index])
  );
}

/** Returns the devices by node, the node of the first device first. */
function byNode(devices: readonly ListedDevice[]): [NodeConnection, ListedDevice[]][] {
  return [...Map.groupBy(devices, ({ node }) => node)];
}

/**
 * Returns the fields that are locked at some device until the owner unlocks the keys, and those that every device with
 * the field has locked.
 */
function useLockedFields(devices: readonly ListedDevice[], fields: readonly FieldName[]) {
  const isLocked = useLocked() !== null;
  const isSealed = (field: FieldName) => (device: ListedDevice) => typeof device.newest[field]?.value === 'object';
  const found = isLocked ? fields.filter((field) => devices.some(isSealed(field))) : [];
  return { fields: found, everywhere: found.filter((field) => sendersOf(devices, field).every(isSealed(field))) };
}

/** Says once which values are locked. */
function Locked({ devices, fields }: { devices: readonly ListedDevice[]; fields: readonly FieldName[] }) {
  const { t } = useTranslation('app');
  const labelOf = useSharedLabels(devices);
  return (
    <p className={classes.locked}>
      <Icon name="lock" size={14} />
      <span>{t('card.locked', { fields: fields.map((field) => t(`fieldShort.${labelOf(field)}`)).join(', ') })}</span>
      <UnlockButton />
    </p>
  );
}

/**
 * Returns how long the silent devices of a group have been silent at most, in words, to say it once; null if at most
 * one is silent.
 */
function useLongestSilence(devices: readonly ListedDevice[]): string | null {
  const format = useFormat();
  const longest = useFromNow(1000, (now) => {
    const silent = devices.filter((device) => deviceStatus(device, device.node.lastKnown(now)) === 'silent');
    if (silent.length < 2) return '';
    return format.duration(wholeMinutes(now - Math.min(...silent.map(({ lastReceivedAt }) => lastReceivedAt ?? now))));
  });
  return longest === '' ? null : longest;
}

/** Says once for each node that is not reachable since when its devices' states are unknown. */
function Away({ devices }: { devices: readonly ListedDevice[] }) {
  return byNode(devices).map(([node, there]) => (
    <NodeProvider key={node.id} value={node}>
      <AwayLine newest={there.reduce((a, b) => ((b.lastReceivedAt ?? 0) > (a.lastReceivedAt ?? 0) ? b : a))} />
    </NodeProvider>
  ));
}

function AwayLine({ newest }: { newest: ListedDevice }) {
  return useLink().state === 'lost' ? (
    <span className={classes.away}>
      <StatusLine device={newest} isBrief />
    </span>
  ) : null;
}

/** A button that logs what was done at a group, or at one of its devices. */
function LogOfGroup({ group, devices }: Pick<Props, 'group' | 'devices'>) {
  const [[node, there]] = byNode(devices) as [[NodeConnection, ListedDevice[]]];
  const cycle = useRunningCycles(devices.map(({ id }) => id)).find(
    ({ place }) => place.kind === 'group' && place.group === group.id,
  );
  const mine = there.filter((device) => device.mine).map((device) => ({ id: device.id, name: nameOf(device) }));
  if (mine.length === 0) return null;
  return (
    <NodeProvider value={node}>
      <LoggersOnly>
        <LogButton devices={mine} name={group.name} cycle={cycle?.id} className={classes.log ?? ''} />
      </LoggersOnly>
    </NodeProvider>
  );
}

/** Returns the number of ranges that watch the devices of a group, and of those that a value is outside of. */
function useWatched(devices: readonly ListedDevice[], numberOf: NumberOf) {
  const rangesOf = useRangesOfListed();
  const ranges = devices.flatMap((device) =>
    rangesOf(device).map((rule) => ({ range: rangeAt(rule, device.notes.units), value: numberOf(device, rule.field) })),
  );
  const outside = ranges.filter(({ range, value }) => value !== null && sideOf(range, value) !== null);
  return { ranges: ranges.length, outside: outside.length };
}

function Watched({ ranges, outside }: ReturnType<typeof useWatched>) {
  const { t } = useTranslation('app');
  const words = t('card.ranges', { count: ranges });
  return (
    <p className={classes.watched}>
      {ranges === 0
        ? t('card.unwatched')
        : t(outside === 0 ? 'card.inside' : 'card.outside', { ranges: words, count: outside })}
    </p>
  );
}
