import { Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog } from '../../../components/dialog.tsx';
import { NewPassphrase, PassphraseInput } from '../../../keys/inputs/passphrase.tsx';
import { Fault, WorkProgress } from '../../../keys/parts/messages.tsx';
import { useAction } from '../../../keys/parts/use-action.ts';
import { useKeys } from '../../../keys/session/page-keys.ts';

/** Changes the keystore's passphrase. */
export default function ChangePassphraseDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('keys');
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState<string | null>(null);
  const keySession = useKeys();
  const action = useAction();
  const submit = (): void => {
    if (next === null) return;
    action.run(async (onProgress) => {
      await keySession.changePassphrase(current, next, onProgress);
      onClose();
    });
  };
  return (
    <FormDialog
      title={t('passphrase.changeTitle')}
      onClose={onClose}
      size="lg"
      onSubmit={submit}
      submit={t('passphrase.change')}
      isPending={action.isRunning}
      isDisabled={current === '' || next === null}
    >
      <Text size="sm">{t('passphrase.changeText')}</Text>
      <PassphraseInput
        label={t('passphrase.current')}
        onChange={(event) => setCurrent(event.currentTarget.value)}
        data-autofocus
      />
      <NewPassphrase onChosen={setNext} />
      <Fault error={action.error} />
      {action.isRunning ? <WorkProgress done={action.progress} /> : null}
    </FormDialog>
  );
}
