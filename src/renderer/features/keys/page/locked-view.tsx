import { Button, Checkbox, Group, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { Icon } from '../../../components/icon.tsx';
import { useTranslation } from '../../../i18n/use-translation.ts';
import type { LockReason } from '../session/types.ts';
import { UnlockForm } from '../unlock/unlock-form.tsx';
import { ExportButton } from './export-button.tsx';
import classes from './keys.module.css';
import { NewKeystoreForm } from './new-keystore-form.tsx';

const RestoreDialog = lazy(() => import('../dialogs/restore-dialog.tsx'));

/** The keystore is there and locked. */
export function LockedView({ lockedBy }: { lockedBy: LockReason | null }) {
  const { t } = useTranslation('keys');
  const [isRestoring, setIsRestoring] = useState(false);
  const [isSure, setIsSure] = useState(false);
  return (
    <>
      <p className={classes.lead}>{t('locked.text')}</p>
      <div className={classes.columns}>
        <section className={classes.card} aria-labelledby="keys-unlock">
          <h2 id="keys-unlock">
            <Icon name="lock" size={18} />
            {t('unlock.title')}
          </h2>
          {lockedBy === null || lockedBy === 'closed' ? null : (
            <Text size="sm" c="dimmed" role="status">
              {t(`locked.by.${lockedBy}`)}
            </Text>
          )}
          <UnlockForm />
        </section>
        <section className={classes.card} aria-labelledby="keys-other">
          <h2 id="keys-other">
            <Icon name="info" size={18} />
            {t('locked.otherTitle')}
          </h2>
          <Group gap="xs">
            <ExportButton />
            <Button variant="default" size="xs" onClick={() => setIsRestoring(true)}>
              {t('restore.open')}
            </Button>
          </Group>
          <details className={classes.more}>
            <summary>{t('locked.forgot')}</summary>
            <p>{t('locked.forgotText')}</p>
            <NewKeystoreForm submit={t('locked.startAnew')} isAllowed={isSure}>
              <Checkbox
                size="sm"
                label={t('locked.sure')}
                checked={isSure}
                onChange={(event) => setIsSure(event.currentTarget.checked)}
              />
            </NewKeystoreForm>
          </details>
        </section>
      </div>
      {isRestoring ? (
        <Suspense fallback={null}>
          <RestoreDialog bytes={null} replaces onClose={() => setIsRestoring(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
