import { ActionIcon, Button } from '@mantine/core';
import { lazy, Suspense, useEffect } from 'react';
import { currentConnection, onConnectionChange } from '../api/connection.ts';
import { Icon } from '../components/icon.tsx';
import { LOCK_KEYS, startAutoLock } from '../features/keys/session/auto-lock.ts';
import { keySession, lockNow, useKeySession } from '../features/keys/session/page-keys.ts';
import { requestUnlock, useUnlockRequest } from '../features/keys/session/unlock-request.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { linkTo, type Route } from '../router.ts';

const UnlockDialog = lazy(() => import('../features/keys/unlock/unlock-dialog.tsx'));

/** The way to the keys, whether they are locked, and the button that changes it. */
export function KeysStatus({ route }: { route: Route }) {
  const { t } = useTranslation('app');
  const session = useKeySession();
  const isAsked = useUnlockRequest();

  useEffect(() => {
    const end = startAutoLock();
    // After the page: nothing of it waits for the keystore.
    const idle = requestIdleCallback(() => void keySession.refresh());
    const endWatching = onConnectionChange(() => {
      const isBack = currentConnection().state === 'connected';
      if (isBack && keySession.state().status === 'unreadable') void keySession.refresh();
    });
    return () => {
      cancelIdleCallback(idle);
      endWatching();
      end();
    };
  }, []);

  const isOpen = session.status === 'unlocked';
  const isLocked = session.status === 'locked' || session.status === 'unlocking';
  const says = isOpen ? t('shell.keysOpen') : isLocked ? t('shell.keysLocked') : undefined;
  return (
    <>
      <Button.Group>
        <Button
          component="a"
          href={linkTo({ page: 'keys' })}
          aria-current={route.page === 'keys' ? 'page' : undefined}
          variant="default"
          size="xs"
          title={says}
          leftSection={<Icon name={isOpen ? 'unlock' : isLocked ? 'lock' : 'key'} />}
        >
          {t('shell.keys')}
          {says === undefined ? null : <span className="visually-hidden">{`, ${says}`}</span>}
        </Button>
        {isOpen ? (
          <ActionIcon
            variant="default"
            size={30}
            aria-label={t('shell.lock')}
            title={`${t('shell.lock')} (${LOCK_KEYS})`}
            onClick={() => lockNow('command')}
          >
            <Icon name="lock" />
          </ActionIcon>
        ) : null}
        {isLocked ? (
          <ActionIcon
            variant="default"
            size={30}
            aria-label={t('shell.unlock')}
            title={t('shell.unlock')}
            onClick={requestUnlock}
          >
            <Icon name="unlock" />
          </ActionIcon>
        ) : null}
      </Button.Group>
      {isAsked ? (
        <Suspense fallback={null}>
          <UnlockDialog />
        </Suspense>
      ) : null}
    </>
  );
}
