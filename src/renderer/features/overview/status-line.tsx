import type { DeviceSummary } from '../../../shared/owner-api.ts';
import { useFormat } from '../../format.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { lastKnown, useFromNow } from '../../now.ts';
import classes from './status.module.css';
import { type DeviceStatus, deviceStatus } from './status.ts';

/** The status of a device, kept true as time passes. */
export function useDeviceStatus(device: DeviceSummary): DeviceStatus {
  return useFromNow(1000, (now) => deviceStatus(device, lastKnown(now)));
}

/** The status as a dot; its shape differs too, so that it can be told without colour. Beside a `StatusLine`. */
export function StatusDot({ device }: { device: DeviceSummary }) {
  return <span className={classes.dot} data-status={useDeviceStatus(device)} aria-hidden="true" />;
}

/** To the minute beyond the first: a device that is silent for hours is so at any second. */
function coarse(elapsedMs: number): number {
  return elapsedMs < 60_000 ? elapsedMs : Math.floor(elapsedMs / 60_000) * 60_000;
}

/** Online and since when its last reading, or silent since when. */
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
