import { Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, type ApiErrorCode } from '../../../api/errors.ts';
import { useFocusKept } from '../../../components/browser/focus.ts';
import { EmptyState, ErrorState, PageLoading } from '../../../components/states.tsx';
import { useKeySession, useKeys } from '../../../keys/session/page-keys.ts';
import type { KeySessionState } from '../../../keys/types.ts';
import { useTitle } from '../../../router/title.ts';
import { DamagedView } from './damaged-view.tsx';
import { InsecureView } from './insecure-view.tsx';
import classes from './keys.module.css';
import { LockedView } from './locked-view.tsx';
import { StartView } from './start-view.tsx';
import { UnlockedView } from './unlocked-view.tsx';

function View({ state }: { state: KeySessionState }) {
  const keySession = useKeys();
  const { t } = useTranslation('keys');
  switch (state.status) {
    case 'unreadable':
      return <ErrorState error={new ApiError(state.code as ApiErrorCode)} onRetry={() => void keySession.refresh()} />;
    case 'insecure':
      return <InsecureView />;
    case 'absent':
      return <StartView hasPrevious={state.hasPrevious} />;
    case 'damaged':
      return <DamagedView hasPrevious={state.hasPrevious} />;
    case 'newer_version':
      return (
        <EmptyState icon="alert" title={t('newer.title')}>
          {t('newer.text')}
        </EmptyState>
      );
    case 'locked':
      return <LockedView lockedBy={state.lockedBy} />;
    case 'unlocked':
      return <UnlockedView view={state.view} problem={state.problem} />;
    default:
      return <PageLoading />;
  }
}

/** The page of the owner's keys: unlocking, the phrases and seeds, and the keystore file. */
export default function KeysPage() {
  const { t } = useTranslation('keys');
  useTitle(t('title'));
  const keySession = useKeys();
  const state = useKeySession();
  // The form stays mounted while the passphrase is checked.
  const [before, setBefore] = useState(state);
  if (state.status !== 'unlocking' && state !== before) setBefore(state);
  const shown = state.status === 'unlocking' ? before : state;
  useFocusKept(shown.status);
  useEffect(() => {
    // Another page may have created or changed the file.
    const look = (): void => void keySession.sync();
    void keySession.refresh();
    look();
    addEventListener('focus', look);
    return () => removeEventListener('focus', look);
  }, [keySession]);
  return (
    <div className={classes.page}>
      <Title order={1} size="h3">
        {t('title')}
      </Title>
      <View state={shown} />
    </div>
  );
}
