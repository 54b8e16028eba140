import { Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { ApiError, type ApiErrorCode } from '../../../api/errors.ts';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { PageLoading } from '../../../components/page-loading.tsx';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { useTitle } from '../../../title.ts';
import { useFocusKept } from '../parts/use-focus-kept.ts';
import { keySession, useKeySession } from '../session/page-keys.ts';
import type { KeySessionState } from '../session/types.ts';
import { DamagedView } from './damaged-view.tsx';
import classes from './keys.module.css';
import { LockedView } from './locked-view.tsx';
import { StartView } from './start-view.tsx';
import { UnlockedView } from './unlocked-view.tsx';

function View({ state }: { state: KeySessionState }) {
  const { t } = useTranslation('keys');
  switch (state.status) {
    case 'unreadable':
      return <ErrorState error={new ApiError(state.code as ApiErrorCode)} onRetry={() => void keySession.refresh()} />;
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

/** The owner's keys: what is kept, how it is kept, and the way to it. */
export default function KeysPage() {
  const { t } = useTranslation('keys');
  useTitle(t('title'));
  const state = useKeySession();
  // While the passphrase works, the form that it was typed into stays.
  const [before, setBefore] = useState(state);
  if (state.status !== 'unlocking' && state !== before) setBefore(state);
  const shown = state.status === 'unlocking' ? before : state;
  useFocusKept(shown.status);
  useEffect(() => {
    // Another page may have made or changed the file.
    const look = (): void => void keySession.sync();
    void keySession.refresh();
    look();
    addEventListener('focus', look);
    return () => removeEventListener('focus', look);
  }, []);
  return (
    <div className={classes.page}>
      <Title order={1} size="h3">
        {t('title')}
      </Title>
      <View state={shown} />
    </div>
  );
}
