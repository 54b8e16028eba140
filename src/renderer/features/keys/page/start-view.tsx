import { Button, Group } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../../components/icon.tsx';
import classes from './keys.module.css';
import { NewKeystoreForm } from './new-keystore-form.tsx';

const RestoreDialog = lazy(() => import('../dialogs/restore-dialog.tsx'));

/** There is no keystore yet: what it is, and the passphrase for it. */
export function StartView() {
  const { t } = useTranslation('keys');
  const [isRestoring, setIsRestoring] = useState(false);
  return (
    <>
      <p className={classes.lead}>{t('start.text')}</p>
      <div className={classes.columns}>
        <section className={classes.card} aria-labelledby="keys-start">
          <h2 id="keys-start">
            <Icon name="key" size={18} />
            {t('start.title')}
          </h2>
          <p>{t('start.passphrase')}</p>
          <NewKeystoreForm submit={t('start.create')} />
        </section>
        <section className={classes.card} aria-labelledby="keys-have">
          <h2 id="keys-have">
            <Icon name="download" size={18} />
            {t('start.haveTitle')}
          </h2>
          <p>{t('start.haveText')}</p>
          <Group>
            <Button variant="default" size="xs" onClick={() => setIsRestoring(true)}>
              {t('restore.open')}
            </Button>
          </Group>
          <h3>{t('start.howTitle')}</h3>
          <ul>
            {(['phrase', 'keystore', 'node', 'lost'] as const).map((each) => (
              <li key={each}>{t(`start.how.${each}`)}</li>
            ))}
          </ul>
        </section>
      </div>
      {isRestoring ? (
        <Suspense fallback={null}>
          <RestoreDialog bytes={null} replaces={false} onClose={() => setIsRestoring(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
