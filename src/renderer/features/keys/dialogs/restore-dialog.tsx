import { FileInput, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_KEYSTORE_BYTES } from '../../../../shared/crypto/keystore/keystore-limits.ts';
import { FormDialog } from '../../../components/dialog.tsx';
import { PassphraseInput } from '../../../keys/inputs/passphrase.tsx';
import { Caution, Fault, WorkProgress } from '../../../keys/parts/messages.tsx';
import { useAction } from '../../../keys/parts/use-action.ts';
import { useKeys } from '../../../keys/session/page-keys.ts';
import { KeySessionError } from '../../../keys/types.ts';

interface Props {
  /** The backup to restore; null if the owner chooses a file. */
  readonly bytes: Uint8Array | null;
  /** Whether an existing keystore would be replaced. */
  readonly replaces: boolean;
  readonly onClose: () => void;
}

async function bytesOf(file: File | null): Promise<Uint8Array> {
  if (file === null) throw new KeySessionError('gone');
  // A file this large is not a keystore, so it is not read.
  if (file.size > MAX_KEYSTORE_BYTES) throw new KeySessionError('damaged');
  return new Uint8Array(await file.arrayBuffer());
}

/** Replaces the keystore with an exported one, or with the version before the last write. */
export default function RestoreDialog({ bytes, replaces, onClose }: Props) {
  const { t } = useTranslation('keys');
  const [file, setFile] = useState<File | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const keySession = useKeys();
  const action = useAction();
  const submit = (): void => {
    const passphrase = input.current?.value ?? '';
    action.run(async (onProgress) => {
      await keySession.restore(bytes ?? (await bytesOf(file)), passphrase, onProgress);
      onClose();
    });
  };
  return (
    <FormDialog
      title={t(bytes === null ? 'restore.title' : 'restore.previousTitle')}
      onClose={onClose}
      size="lg"
      onSubmit={submit}
      submit={t('restore.restore')}
      isPending={action.isRunning}
      isDisabled={bytes === null && file === null}
    >
      <Text size="sm">{t(bytes === null ? 'restore.text' : 'restore.previousText')}</Text>
      {bytes === null ? (
        <FileInput
          size="sm"
          label={t('restore.file')}
          placeholder={t('restore.choose')}
          value={file}
          onChange={setFile}
          data-autofocus
        />
      ) : null}
      <PassphraseInput ref={input} label={t('restore.passphrase')} />
      {replaces ? <Caution>{t('restore.replaces')}</Caution> : null}
      <Fault error={action.error} />
      {action.isRunning ? <WorkProgress done={action.progress} /> : null}
    </FormDialog>
  );
}
