import { Alert, Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../../components/icon.tsx';
import classes from './keys.module.css';
import { ReplaceKeystore } from './new-keystore-form.tsx';
import { useRestore } from './use-restore.tsx';

/** Shown if the keystore file is damaged. Offers ways to continue; none overwrites the file unasked. */
export function DamagedView({ hasPrevious }: { hasPrevious: boolean }) {
  const { t } = useTranslation('keys');
  const { restore, dialog } = useRestore(false);
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
            <Button size="xs" onClick={() => restore('previous')}>
              {t('damaged.openPrevious')}
            </Button>
          ) : null}
          <Button variant="default" size="xs" onClick={() => restore('file')}>
            {t('restore.open')}
          </Button>
        </Group>
        <ReplaceKeystore summary={t('damaged.replace')} text={t('damaged.replaceText')} />
      </section>
      {dialog}
    </>
  );
}
