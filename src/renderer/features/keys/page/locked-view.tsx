import { Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../../components/icon.tsx';
import type { LockReason } from '../../../keys/types.ts';
import { UnlockForm } from '../../../keys/unlock/unlock-form.tsx';
import { ExportButton } from './export-button.tsx';
import classes from './keys.module.css';
import { ReplaceKeystore } from './new-keystore-form.tsx';
import { useRestore } from './use-restore.tsx';

/** Shown while the keystore is locked. */
export function LockedView({ lockedBy }: { lockedBy: LockReason | null }) {
  const { t } = useTranslation('keys');
  const { restore, dialog } = useRestore(true);
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
            <Button variant="default" size="xs" onClick={() => restore('file')}>
              {t('restore.open')}
            </Button>
          </Group>
          <ReplaceKeystore summary={t('locked.forgot')} text={t('locked.forgotText')} />
        </section>
      </div>
      {dialog}
    </>
  );
}
