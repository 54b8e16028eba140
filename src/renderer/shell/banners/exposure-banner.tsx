import { useTranslation } from 'react-i18next';
import { useNodeInfo } from '../../api/queries/overview.ts';
import { Icon } from '../../components/icon.tsx';
import classes from './storage-banner.module.css';

/** On every page, for as long as the local endpoint answers beyond this machine. */
export function ExposureBanner() {
  const { t } = useTranslation('app');
  const addresses = useNodeInfo().data?.exposedAt ?? [];
  if (addresses.length === 0) return null;
  return (
    <div role="alert" className={classes.banner}>
      <Icon name="alert" size={22} />
      <div>
        <strong>{t('exposure.title', { addresses: addresses.join(', ') })}</strong> {t('exposure.text')}
      </div>
    </div>
  );
}
