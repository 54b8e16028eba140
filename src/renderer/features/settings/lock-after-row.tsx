import { Button, Stack } from '@mantine/core';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/me.tsx';
import { LockAfter } from '../../keys/parts/lock-after.tsx';
import { useKeySession } from '../../keys/session/page-keys.ts';
import { requestUnlock } from '../../keys/session/unlock-request.ts';
import { linkTo } from '../../router/router.ts';
import { Row } from './section.tsx';
import classes from './settings.module.css';

/** When the keys lock by themselves. The keystore stores that, so it can be changed only while it is unlocked. */
export function LockAfterRow() {
  const { t } = useTranslation(['settings', 'app']);
  const session = useKeySession();
  const { mayUnlock } = useMe();
  if (!mayUnlock) return null;
  const isLocked = session.status === 'locked' || session.status === 'unlocking';
  return (
    <Row name={t('name.lockAfter')} text={t('text.lockAfter')}>
      {session.status === 'unlocked' ? (
        // Suspends while the texts of the keys are loaded.
        <Suspense fallback={null}>
          <LockAfter view={session.view} label={t('name.lockAfter')} />
        </Suspense>
      ) : (
        <Stack gap={6} align="start">
          {isLocked ? <span className={classes.notApplicable}>{t('lockAfter.locked')}</span> : null}
          {session.status === 'absent' ? <span className={classes.notApplicable}>{t('lockAfter.none')}</span> : null}
          {session.status === 'insecure' ? (
            <span className={classes.notApplicable}>{t('lockAfter.insecure')}</span>
          ) : null}
          {isLocked ? (
            <Button size="xs" variant="default" onClick={requestUnlock}>
              {t('app:shell.unlock')}
            </Button>
          ) : null}
          <a className={classes.link} href={linkTo({ page: 'keys' })}>
            {t('toKeys')}
          </a>
        </Stack>
      )}
    </Row>
  );
}
