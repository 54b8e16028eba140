import { useTranslation } from 'react-i18next';
import type { DeviceSummary } from '../../shared/owner-api/devices.ts';
import { Icon } from '../components/icon.tsx';
import classes from './opening-bar.module.css';
import { hasSealed } from './sparklines/sparkline-loader.ts';
import { UnlockButton, useLocked } from './unlock-button.tsx';

/** Above newest values that are shown as locks: what that means, and the way to open them. */
export function SealedNote({ devices }: { devices: readonly Pick<DeviceSummary, 'newest'>[] }) {
  return devices.some(({ newest }) => hasSealed(newest)) ? <LockNote /> : null;
}

/** What a lock means, and the way to open it. Nothing where the keys are open. */
export function LockNote() {
  const { t } = useTranslation('app');
  const locked = useLocked();
  if (locked === null) return null;
  return (
    <div className={classes.bar} role="note">
      <Icon name="lock" size={14} />
      <span>{t(`sealed.${locked}`)}</span>
      <UnlockButton />
    </div>
  );
}
