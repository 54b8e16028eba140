import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useKeySession } from '../keys/session/page-keys.ts';
import { requestUnlock } from '../keys/session/unlock-request.ts';
import { linkTo } from '../router/router.ts';

/** The step that is missing before sealed values open; null while the keys are open or not known. */
export function useLocked(): 'locked' | 'absent' | null {
  const { status } = useKeySession();
  if (status === 'locked' || status === 'unlocking') return 'locked';
  return status === 'absent' ? 'absent' : null;
}

/** The way to open a lock, beside it. Nothing if the keys are open. */
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
