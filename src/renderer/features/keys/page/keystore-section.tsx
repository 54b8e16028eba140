import { Button, Group, Switch, Text } from '@mantine/core';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { desktop } from '../../../api/desktop.ts';
import { useNodeInfo } from '../../../api/queries/overview.ts';
import { Icon } from '../../../components/icon.tsx';
import { LockAfter } from '../../../keys/parts/lock-after.tsx';
import { Fault } from '../../../keys/parts/messages.tsx';
import { useAction } from '../../../keys/parts/use-action.ts';
import { LOCK_KEYS } from '../../../keys/session/auto-lock.ts';
import { useKeys } from '../../../keys/session/page-keys.ts';
import type { KeysView } from '../../../keys/types.ts';
import { ExportButton } from './export-button.tsx';
import classes from './keys.module.css';
import { useRestore } from './use-restore.tsx';

const ChangePassphraseDialog = lazy(() => import('../dialogs/change-passphrase-dialog.tsx'));

/** Returns whether this machine can remember the keystore's key; null in a browser, and until it is known. */
function useCanRemember(): boolean | null {
  const [can, setCan] = useState<boolean | null>(null);
  useEffect(() => void desktop?.osWrap.available().then(setCan), []);
  return can;
}

/** Shows the settings of the keystore file: when it locks, its passphrase, and exports. */
export function KeystoreSection({ view }: { view: KeysView }) {
  const { t } = useTranslation('keys');
  const { data: node } = useNodeInfo();
  const [isChanging, setIsChanging] = useState(false);
  const { restore, dialog } = useRestore(true);
  const canRemember = useCanRemember();
  const keySession = useKeys();
  const action = useAction();
  return (
    <>
      <section className={classes.card} aria-labelledby="keys-lock">
        <h2 id="keys-lock">{t('lock.title')}</h2>
        <p>{t('lock.text')}</p>
        <LockAfter view={view} />
        {canRemember === null ? null : (
          <Switch
            size="sm"
            label={t('lock.remember')}
            description={t(canRemember ? 'lock.rememberText' : 'lock.cannotRemember')}
            checked={view.isRemembered}
            disabled={action.isRunning || !(canRemember || view.isRemembered)}
            onChange={(event) => {
              const on = event.currentTarget.checked;
              action.run(() => keySession.remember(on));
            }}
          />
        )}
        <Fault error={action.error} />
        <Group>
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name="lock" />}
            rightSection={<kbd className={classes.kbd}>{LOCK_KEYS}</kbd>}
            onClick={() => keySession.lock('command')}
          >
            {t('lock.now')}
          </Button>
        </Group>
      </section>
      <section className={classes.card} aria-labelledby="keys-file">
        <h2 id="keys-file">{t('keystore.title')}</h2>
        <p>{t('keystore.text')}</p>
        {node === undefined ? null : (
          <Text size="xs" c="dimmed" className={classes.path ?? ''}>
            {t('keystore.where', { folder: node.dataDir })}
          </Text>
        )}
        <Group gap="xs">
          <ExportButton />
          <Button variant="default" size="xs" onClick={() => restore('file')}>
            {t('restore.open')}
          </Button>
          <Button variant="default" size="xs" onClick={() => setIsChanging(true)}>
            {t('passphrase.changeOpen')}
          </Button>
        </Group>
      </section>
      <Suspense fallback={null}>
        {isChanging ? <ChangePassphraseDialog onClose={() => setIsChanging(false)} /> : null}
      </Suspense>
      {dialog}
    </>
  );
}
