import { Text } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../components/dialog.tsx';
import { navigate, useRoute } from '../../router/router.ts';
import { useKeySession } from '../session/page-keys.ts';
import { endUnlockRequest } from '../session/unlock-request.ts';
import { UnlockForm } from './unlock-form.tsx';

/** The dialog that unlocks the keys over the current page. It closes when they are unlocked. */
export default function UnlockDialog() {
  const { t } = useTranslation('keys');
  const { status } = useKeySession();
  const { page } = useRoute();
  // The button that opened the dialog may be gone: after unlocking, the lock button replaces it.
  useEffect(
    () => () => {
      if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
    },
    [],
  );
  const isHere = page !== 'keys' && (status === 'locked' || status === 'unlocking');
  useEffect(() => {
    if (isHere) return;
    endUnlockRequest();
    // There is no keystore, or it is damaged. The page of the keys says what to do.
    if (status !== 'unlocked') navigate({ page: 'keys' });
  }, [isHere, status]);
  if (!isHere) return null;
  return (
    <Dialog onClose={endUnlockRequest} title={t('unlock.title')}>
      <Text size="sm" c="dimmed">
        {t('unlock.text')}
      </Text>
      <UnlockForm />
    </Dialog>
  );
}
