import { useTranslation } from 'react-i18next';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import { useFormat } from '../../format/format.ts';
import { useFromNow } from '../../now.ts';
import classes from './status.module.css';
import { type DeviceStatus, deviceStatus } from './status.ts';

/** The status of a device, updated as time passes. */
export function useDeviceStatus(device: DeviceSummary): DeviceStatus {
  return useFromNow(1000, (_now, known) => deviceStatus(device, known));
}

/** The status as a dot next to a `StatusLine`. The shape differs as well as the colour. */
export function StatusDot({ device }: { device: DeviceSummary }) {
  return <span className={classes.dot} data-status={useDeviceStatus(device)} aria-hidden="true" />;
}

/** In minutes once it is over one minute; seconds do not matter then. */
function coarse(elapsedMs: number): number {
  return elapsedMs < 60_000 ? elapsedMs : Math.floor(elapsedMs / 60_000) * 60_000;
}

/** The status in words, with the age of the last reading. */
export function StatusLine({ device }: { device: DeviceSummary }) {
  const { t } = useTranslation('app');
  const format = useFormat();
  const status = useDeviceStatus(device);
  const at = device.lastReceivedAt;
  const text = useFromNow(1000, (now) => {
    if (at === null) return t(status === 'foreign' ? 'status.waiting' : `status.${status}`);
    if (status === 'foreign') return t('status.foreign', { age: format.age(now - at) });
    if (status === 'silent') return t('status.silentFor', { span: format.duration(coarse(now - at)) });
    return t('status.withAge', { status: t(`status.${status}`), age: format.age(now - at) });
  });
  return (
    <span className={classes.line} data-status={status} title={at === null ? undefined : format.dateTime(at)}>
      {text}
    </span>
  );
}
