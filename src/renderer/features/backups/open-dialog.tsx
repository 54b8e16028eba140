import { Alert, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BackupFile } from '../../../shared/owner-api/backups.ts';
import type { Input } from '../../../shared/owner-api/contract.ts';
import { CareRefused, useCare } from '../../api/queries/backups.ts';
import { useFaultText } from '../../backups/fault-text.ts';
import { FormDialog } from '../../components/dialog.tsx';
import { Failure } from '../../components/failure.tsx';
import { Icon } from '../../components/icon.tsx';
import { PassphraseInput } from '../../keys/inputs/passphrase.tsx';
import { useAction } from '../../keys/parts/use-action.ts';
import { backupKeyOf } from '../../keys/session/backup-key.ts';
import { useKeySession, useKeys } from '../../keys/session/page-keys.ts';
import { KeySessionError } from '../../keys/types.ts';
import classes from './backups.module.css';

interface Props {
  readonly kind: 'check' | 'restore';
  readonly file: Pick<BackupFile, 'path' | 'encryption'>;
  readonly onClose: () => void;
}

/** Asks for the key of a backup, and starts its check or restore. */
export function OpenDialog({ kind, file, onClose }: Props) {
  const { t } = useTranslation('backups');
  const { ofError } = useFaultText();
  const input = useRef<HTMLInputElement>(null);
  const check = useCare('checkBackup');
  const restore = useCare('restoreBackup');
  const action = useAction();
  const { path, encryption } = file;
  const keys = useKeys();
  const isUnlocked = useKeySession().status === 'unlocked';
  // Whether to ask for the phrase, because no phrase of the unlocked keystore opens the backup.
  const [isAsked, setAsked] = useState(false);
  const usesKeystore = encryption === 'recipient' && isUnlocked && !isAsked;
  const begin = async (key: Input<'checkBackup'>['key']): Promise<void> => {
    if (kind === 'check') await check.mutateAsync({ path, key });
    else await restore.mutateAsync({ path, key, confirm: path });
  };
  /** Tries each phrase of the keystore in turn. Rejects with CareRefused if none opens the backup. */
  const beginWithKeystore = async (): Promise<void> => {
    const identities = await keys.ask('keptBackupKeys', {});
    for (const identity of identities) {
      try {
        await begin({ kind: 'identity', identity });
        return;
      } catch (error) {
        if (!(error instanceof CareRefused) || error.problem.fault !== 'wrong_key') throw error;
      }
    }
    setAsked(true);
    throw new CareRefused({ fault: 'needs_key', message: 'no phrase of the keystore opens it' });
  };
  const keyOf = async (): Promise<Input<'checkBackup'>['key']> => {
    if (encryption === 'none') return null;
    if (!isSecureContext) throw new KeySessionError('insecure');
    const typed = input.current?.value ?? '';
    if (encryption === 'passphrase') return { kind: 'passphrase', passphrase: typed };
    return { kind: 'identity', identity: (await backupKeyOf(typed)).identity };
  };
  const submit = (): void => {
    action.run(async () => {
      if (usesKeystore) await beginWithKeystore();
      else await begin(await keyOf());
      onClose();
    });
  };
  return (
    <FormDialog
      onClose={onClose}
      title={t(`open.title.${kind}`)}
      size="lg"
      onSubmit={submit}
      submit={t(`open.start.${kind}`)}
      isDanger={kind === 'restore'}
      isPending={action.isRunning}
    >
      <Text size="sm">{t(`open.text.${kind}`)}</Text>
      <span className={classes.path}>{path}</span>
      {encryption === 'none' ? (
        <Text size="sm">{t('key.none')}</Text>
      ) : usesKeystore ? (
        <Text size="sm">{t('key.keystore')}</Text>
      ) : (
        <PassphraseInput
          ref={input}
          label={t(encryption === 'passphrase' ? 'key.passphrase' : 'key.phrase')}
          data-autofocus
        />
      )}
      {kind === 'restore' ? (
        <Alert color="yellow" variant="light" icon={<Icon name="alert" />} role="note">
          <p>{t('restore.kept')}</p>
          <p>{t('restored.twins')}</p>
        </Alert>
      ) : null}
      <Failure>{action.error === null ? null : ofError(action.error)}</Failure>
    </FormDialog>
  );
}
