import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useKeySession } from '../keys/session/page-keys.ts';
import { requestUnlock } from '../keys/session/unlock-request.ts';
import { linkTo } from '../router/router.ts';

/**
 * Returns why sealed values can't be opened: the keys are locked or there is no keystore. null while the keys are open
 * or their state is not known.
 */
export function useLocked(): 'locked' | 'absent' | null {
  const { status } = useKeySession();
  if (status === 'locked' || status === 'unlocking') return 'locked';
  return status === 'absent' ? 'absent' : null;
}

/** A button next to a lock that opens it. Shows nothing if the keys are open. */
export function UnlockButton() {
  const { t } = useTranslation('app');
  const locked = useLocked();
  if (locked === null) return null;
  return locked === 'locked' ? (
    <Button variant="default" size="compact-xs" onClick={requestUnlock}>
      {t('sealed.unlock')}
    </Button>
  ) : (
    <Button component="a" href={linkTo({ page: 'keys' })} variant="default" size="compact-xs">
      {t('sealed.toKeys')}
    </Button>
  );
}
