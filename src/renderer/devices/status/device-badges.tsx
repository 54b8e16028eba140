import { useTranslation } from 'react-i18next';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import { storesOf } from '../../../shared/wellness/status.ts';
import { Icon } from '../../components/icon.tsx';
import { NodeBadge } from '../nodes/node-badge.tsx';
import classes from './device-badges.module.css';

/** Badges for the stores that have the device's readings, its type, and whether its clock is not set. */
export function DeviceBadges({ device }: { device: DeviceSummary }) {
  const { t } = useTranslation('app');
  const stores = storesOf(device);
  return (
    <span className={classes.badges}>
      <NodeBadge />
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
