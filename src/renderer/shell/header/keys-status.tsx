import { ActionIcon, Button } from '@mantine/core';
import { lazy, Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useNode } from '../../api/node-connection.ts';
import { Icon } from '../../components/icon.tsx';
import { LOCK_KEYS, startAutoLock } from '../../keys/session/auto-lock.ts';
import { useCopiesTold } from '../../keys/session/exported.ts';
import { useKeySession, useKeys } from '../../keys/session/page-keys.ts';
import { requestUnlock, useUnlockRequest } from '../../keys/session/unlock-request.ts';
import { linkTo, type Route } from '../../router/router.ts';

const UnlockDialog = lazy(() => import('../../keys/unlock/unlock-dialog.tsx'));

interface Props {
  readonly route: Route;
  /** Whether the link to the page of the keys is shown next to the button that locks and unlocks. */
  readonly hasLink?: boolean;
}

/** The link to the page of the keys with their state, and a button that locks or unlocks them. */
export function KeysStatus({ route, hasLink = true }: Props) {
  const { t } = useTranslation('app');
  const node = useNode();
  const keySession = useKeys();
  const session = useKeySession();
  const isAsked = useUnlockRequest();
  useCopiesTold();

  useEffect(() => {
    const end = startAutoLock(keySession);
    // After the first render, so that the page does not wait for the keystore.
    const idle = requestIdleCallback(() => void keySession.load());
    const endWatching = node.onLinkChange(() => {
      const isBack = node.link().state === 'connected';
      if (isBack && keySession.state().status === 'unreadable') void keySession.refresh();
    });
    // Another page may have created the keystore.
    const look = (): void => {
      if (keySession.state().status === 'absent') void keySession.refresh();
    };
    addEventListener('focus', look);
    return () => {
      cancelIdleCallback(idle);
      removeEventListener('focus', look);
      endWatching();
      end();
    };
  }, [node, keySession]);

  const isOpen = session.status === 'unlocked';
  const isLocked = session.status === 'locked' || session.status === 'unlocking';
  const says = isOpen ? t('shell.keysOpen') : isLocked ? t('shell.keysLocked') : undefined;
  return (
    <>
      <Button.Group>
        {hasLink ? (
          <Button
            component="a"
            href={linkTo({ page: 'keys' })}
            aria-current={route.page === 'keys' ? 'page' : undefined}
            variant="default"
            size="xs"
            title={says}
            leftSection={<Icon name="key" />}
          >
            {t('shell.keys')}
            {says === undefined ? null : <span className="visually-hidden">{`, ${says}`}</span>}
          </Button>
        ) : null}
        {isOpen ? (
          <ActionIcon
            variant="default"
            size={30}
            aria-label={t('shell.lock')}
            title={`${t('shell.lock')} (${LOCK_KEYS})`}
            onClick={() => keySession.lock('command')}
          >
            <Icon name="unlock" />
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
            <Icon name="lock" />
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
