import type { DeviceSummary } from '../../../shared/owner-api.ts';
import { Icon } from '../../components/icon.tsx';
import { useTranslation } from '../../i18n/use-translation.ts';
import classes from './device-badges.module.css';
import { storesOf } from './select-devices.ts';

/** Where a device's readings are kept, what it is, and what is odd about it, in a word each. */
export function DeviceBadges({ device }: { device: DeviceSummary }) {
  const { t } = useTranslation('app');
  const stores = storesOf(device);
  return (
    <span className={classes.badges}>
      <span className={classes.badge} data-store={stores} title={t(`stores.${stores}Text`)}>
        {t(`stores.${stores}`)}
      </span>
      <span className={classes.plain}>{t(`type.${device.type}`)}</span>
      {device.clockNotSet ? (
        <span className={classes.odd} title={t('badge.clockText')}>
          <Icon name="clock" size={12} />
          <span>{t('badge.clock')}</span>
        </span>
      ) : null}
    </span>
  );
}
