import { Alert, Button, Checkbox, Group } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { Icon } from '../../../components/icon.tsx';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { keySession } from '../session/key-session.ts';
import classes from './keys.module.css';
import { NewKeystoreForm } from './new-keystore-form.tsx';

const RestoreDialog = lazy(() => import('../dialogs/restore-dialog.tsx'));

/** The keystore's file is damaged: nothing writes over it, and the ways out are here. */
export function DamagedView({ hasPrevious }: { hasPrevious: boolean }) {
  const { t } = useTranslation('keys');
  const [restoring, setRestoring] = useState<'previous' | 'file' | null>(null);
  const [isSure, setIsSure] = useState(false);
  return (
    <>
      <Alert variant="light" color="red" icon={<Icon name="alert" />} title={t('damaged.title')} role="alert">
        {t('damaged.text')}
      </Alert>
      <section className={classes.card} aria-labelledby="keys-ways">
        <h2 id="keys-ways">{t('damaged.waysTitle')}</h2>
        <p>{t(hasPrevious ? 'damaged.previousText' : 'damaged.noPrevious')}</p>
        <Group gap="xs">
          {hasPrevious ? (
            <Button size="xs" onClick={() => setRestoring('previous')}>
              {t('damaged.openPrevious')}
            </Button>
          ) : null}
          <Button variant="default" size="xs" onClick={() => setRestoring('file')}>
            {t('restore.open')}
          </Button>
        </Group>
        <details className={classes.more}>
          <summary>{t('damaged.anew')}</summary>
          <p>{t('damaged.anewText')}</p>
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
      {restoring === null ? null : (
        <Suspense fallback={null}>
          <RestoreDialog
            bytes={restoring === 'previous' ? keySession.previous() : null}
            replaces={false}
            onClose={() => setRestoring(null)}
          />
        </Suspense>
      )}
    </>
  );
}
