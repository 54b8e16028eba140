import type { DeviceSummary } from '../../../../shared/owner-api.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { nameOf } from '../../../names.ts';
import { linkTo } from '../../../router.ts';
import { NAMED_DEVICES } from '../parts/limits.ts';
import classes from './keys.module.css';

/** The devices that belong to a key; nothing where there is none. */
export function DeviceLinks({ devices }: { devices: readonly DeviceSummary[] }) {
  const { t } = useTranslation('keys');
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
