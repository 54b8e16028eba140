import { useTranslation } from 'react-i18next';
import type { DeviceSummary } from '../../../../shared/owner-api/devices.ts';
import { nameOf } from '../../../devices/names.ts';
import { linkTo } from '../../../router/router.ts';
import classes from './keys.module.css';

/** The number of devices named. The others are counted. */
const NAMED_DEVICES = 8;

/** Lists the devices that belong to a key. Renders nothing if there are none. */
export function DeviceLinks({ devices }: { devices: readonly DeviceSummary[] }) {
  const { t } = useTranslation(['keys', 'app']);
  if (devices.length === 0) return null;
  const more = devices.length - NAMED_DEVICES;
  return (
    <ul className={classes.devices} aria-label={t('secret.devices')}>
      {devices.slice(0, NAMED_DEVICES).map((device) => (
        <li key={device.id}>
          <a href={linkTo({ page: 'device', id: device.id })}>
            <bdi>{nameOf(device)}</bdi>
          </a>
        </li>
      ))}
      {more > 0 ? <li>{t('app:common.more', { count: more })}</li> : null}
    </ul>
  );
}
