import { useTranslation } from 'react-i18next';
import { bandOf, shownRange } from '../../../../shared/alerts/shown-range.ts';
import { PERCENT_FULL } from '../../../../shared/measures/field-scale.ts';
import type { FieldName } from '../../../../shared/protocol/fields.ts';
import { OutlookLines } from '../../../alerts/outlook/outlook-lines.tsx';
import { useOutOfRange, useRanges } from '../../../alerts/rules/use-ranges.ts';
import type { ListedDevice } from '../../../devices/listed.ts';
import { nameOf } from '../../../devices/names.ts';
import { useDeviceStatus } from '../../../devices/status/status-line.tsx';
import { useScales, useScalesOf } from '../../../devices/use-scales.ts';
import { useNewest, type useNewestNumbers } from '../../../opening/opened.ts';
import { Tank } from '../cards/tank.tsx';
import classes from './group-card.module.css';

export type NumberOf = ReturnType<typeof useNewestNumbers>;

interface FoundTank {
  readonly device: ListedDevice;
  /** Whether the group has further tanks. */
  readonly isOneOfSeveral: boolean;
  /** Whether no other device of the group measures a water level. */
  readonly isOnly: boolean;
}

/** Returns the devices that have sent a field. */
export function sendersOf(devices: readonly ListedDevice[], field: FieldName): readonly ListedDevice[] {
  return devices.filter(({ newest }) => newest[field] !== null);
}

/** Returns the tank of a group with the lowest level among those whose level is known; null if there is none. */
export function useLowestTank(devices: readonly ListedDevice[], levelOf: NumberOf): FoundTank | null {
  const scalesOf = useScalesOf();
  const senders = sendersOf(devices, 'waterLevel');
  const tanks = senders.filter((device) => scalesOf(device).waterLevel.unit === PERCENT_FULL);
  let lowest: { readonly device: ListedDevice; readonly level: number } | null = null;
  for (const device of tanks) {
    const sent = levelOf(device, 'waterLevel');
    if (sent === null || device.notes.status !== 0) continue;
    const level = scalesOf(device).waterLevel.toShown(sent);
    if (lowest === null || level < lowest.level) lowest = { device, level };
  }
  if (lowest === null) return null;
  return { device: lowest.device, isOneOfSeveral: tanks.length > 1, isOnly: senders.length === 1 };
}

/** The drawn tank of a device, with its name and when it is expected to be empty. */
export function LowestTank({ device, isOneOfSeveral }: Omit<FoundTank, 'isOnly'>) {
  const { t } = useTranslation('app');
  const scale = useScales(device).waterLevel;
  const level = useNewest(device)('waterLevel');
  const outside = useOutOfRange(device)('waterLevel', level);
  const band = bandOf('waterLevel', useRanges(device));
  const isSilent = useDeviceStatus(device) === 'silent';
  if (level.kind !== 'plain' && level.kind !== 'opened') return null;
  return (
    <div className={classes.tank} data-silent={isSilent || undefined}>
      <dl>
        <Tank
          label={t(`fieldShort.${scale.label}`)}
          value={level}
          scale={scale}
          outside={outside}
          least={band === null ? null : shownRange(scale, band).low}
        />
      </dl>
      <div>
        <p>{t(isOneOfSeveral ? 'card.lowestTank' : 'card.tankOf', { name: nameOf(device) })}</p>
        <OutlookLines device={device} most={1} only="waterLevel" className={classes.outlook ?? ''} />
      </div>
    </div>
  );
}
