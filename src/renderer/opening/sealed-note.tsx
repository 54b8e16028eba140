import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { DeviceSummary } from '../../shared/owner-api/devices.ts';
import { Icon } from '../components/icon.tsx';
import { useKeySession } from '../keys/session/page-keys.ts';
import { requestUnlock } from '../keys/session/unlock-request.ts';
import { linkTo } from '../router/router.ts';
import classes from './opening-bar.module.css';
import { hasSealed } from './sparkline-loader.ts';

/** Above values that are shown as locks: what that means, and the way to open them. */
export function SealedNote({ devices }: { devices: readonly Pick<DeviceSummary, 'newest'>[] }) {
  const { t } = useTranslation('app');
  const { status } = useKeySession();
  if (!devices.some(({ newest }) => hasSealed(newest))) return null;
  const isLocked = status === 'locked' || status === 'unlocking';
  if (!isLocked && status !== 'absent') return null;
  return (
    <div className={classes.bar} role="note">
      <Icon name="lock" size={14} />
      <span>{t(isLocked ? 'sealed.locked' : 'sealed.absent')}</span>
      {isLocked ? (
        <Button variant="default" size="compact-xs" onClick={requestUnlock}>
          {t('sealed.unlock')}
        </Button>
      ) : (
        <Button component="a" href={linkTo({ page: 'keys' })} variant="default" size="compact-xs">
          {t('sealed.toKeys')}
        </Button>
      )}
    </div>
  );
}
