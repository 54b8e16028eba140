import { Alert, Button, Group } from '@mantine/core';
import { Icon } from '../../../components/icon.tsx';
import { useTranslation } from '../../../i18n/use-translation.ts';
import classes from './keys.module.css';
import { StartAnew } from './start-anew.tsx';
import { useRestore } from './use-restore.tsx';

/** The keystore's file is damaged: nothing writes over it, and the ways out are here. */
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
        <StartAnew summary={t('damaged.anew')} text={t('damaged.anewText')} />
      </section>
      {dialog}
    </>
  );
}
