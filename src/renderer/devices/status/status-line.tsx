import { useTranslation } from 'react-i18next';
import { wholeMinutes } from '../../../shared/format/spans.ts';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import { type DeviceStatus, deviceStatus } from '../../../shared/wellness/status.ts';
import { useLink, useNode } from '../../api/node-connection.ts';
import { useFormat } from '../../format/format.ts';
import { lateSince } from '../../format/freshness.ts';
import { useFromNow } from '../../now.ts';
import classes from './status.module.css';

/** Returns the status of a device, updated as time passes. */
export function useDeviceStatus(device: DeviceSummary): DeviceStatus {
  return useFromNow(1000, (_now, known) => deviceStatus(device, known));
}

/** Returns since when the device's node is not reachable, so that its status is unknown; null if it is reachable. */
function useAwaySince(): number | null {
  const link = useLink();
  return link.state === 'lost' ? link.since : null;
}

interface Props {
  readonly device: DeviceSummary;
  /** Whether to leave out the age of live readings. */
  readonly isBrief?: boolean;
  /** Whether to leave out every age, which is shown elsewhere. */
  readonly hasNoAge?: boolean;
}

/**
 * The status in words, with the age of the last reading. If all recent readings were measured long before they arrived,
 * it is the age of the measurement.
 */
export function StatusLine({ device, isBrief = false, hasNoAge = false }: Props) {
  const { t } = useTranslation('app');
  const format = useFormat();
  const status = useDeviceStatus(device);
  const at = device.lastReceivedAt;
  const awaySince = useAwaySince();
  const isAway = awaySince !== null;
  const isOther = useNode().other !== null;
  const text = useFromNow(1000, (now) => {
    if (awaySince !== null) {
      if (isOther) return t('nodes.unknownNow', { age: at === null ? '' : format.age(now - at) });
      const since = t('status.unknownSince', { time: format.time(awaySince) });
      return at === null ? since : t('status.withAge', { status: since, age: format.age(now - at) });
    }
    if (hasNoAge && status !== 'foreign') return t(`status.${status}`);
    if (at === null) return t(status === 'foreign' ? 'status.waiting' : `status.${status}`);
    if (status === 'foreign') return t('status.foreign', { age: format.age(now - at) });
    const late = status === 'online' ? lateSince(device, now) : null;
    if (late !== null) return t('status.late', { status: t('status.online'), age: format.age(now - late) });
    if (status === 'silent') return t('status.silentFor', { span: format.duration(wholeMinutes(now - at)) });
    if (isBrief && status === 'online') return t('status.online');
    return t('status.withAge', { status: t(`status.${status}`), age: format.age(now - at) });
  });
  return (
    <span
      className={classes.line}
      data-status={isAway ? 'inactive' : status}
      title={at === null ? undefined : format.dateTime(at)}
    >
      {text}
    </span>
  );
}
