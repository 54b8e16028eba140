import { Modal, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { navigate, useRoute } from '../../../router.ts';
import { useFocusBack } from '../../device/use-focus-back.ts';
import { useKeySession } from '../session/page-keys.ts';
import { endUnlockRequest } from '../session/unlock-request.ts';
import { UnlockForm } from './unlock-form.tsx';

/** Unlocks the keys over whatever page is open, and goes when they are. */
export default function UnlockDialog() {
  const { t } = useTranslation('keys');
  const { status } = useKeySession();
  const { page } = useRoute();
  useFocusBack();
  // The button that asked for it may be gone: unlocked, it locks.
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
    // There is no keystore, or it is damaged: the keys' page says so and what to do.
    if (status !== 'unlocked') navigate({ page: 'keys' });
  }, [isHere, status]);
  if (!isHere) return null;
  return (
    <Modal
      opened
      onClose={endUnlockRequest}
      title={t('unlock.title')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Text size="sm" c="dimmed" mb="sm">
        {t('unlock.text')}
      </Text>
      <UnlockForm />
    </Modal>
  );
}
