import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../../components/icon.tsx';
import classes from './keys.module.css';
import { NewKeystoreForm } from './new-keystore-form.tsx';
import { useRestore } from './use-restore.tsx';

/**
 * Shown if there is no keystore. Explains it and asks for a passphrase. `hasPrevious` means that the file is missing,
 * but the version before the last write exists.
 */
export function StartView({ hasPrevious }: { hasPrevious: boolean }) {
  const { t } = useTranslation('keys');
  const { restore, dialog } = useRestore(false);
  return (
    <>
      {hasPrevious ? (
        <Alert variant="light" color="red" icon={<Icon name="alert" />} title={t('missing.title')} role="alert">
          <Stack gap="sm">
            <Text size="sm">{t('missing.text')}</Text>
            <Group>
              <Button size="xs" onClick={() => restore('previous')}>
                {t('damaged.openPrevious')}
              </Button>
            </Group>
          </Stack>
        </Alert>
      ) : null}
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
            <Icon name="upload" size={18} />
            {t('start.haveTitle')}
          </h2>
          <p>{t('start.haveText')}</p>
          <Group>
            <Button variant="default" size="xs" onClick={() => restore('file')}>
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
      {dialog}
    </>
  );
}
