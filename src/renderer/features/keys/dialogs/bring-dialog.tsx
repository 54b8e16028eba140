import { Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog } from '../../../components/dialog.tsx';
import { LabelInput, SecretInput } from '../../../keys/inputs/secret-input.tsx';
import { Fault } from '../../../keys/parts/messages.tsx';
import { useAction } from '../../../keys/parts/use-action.ts';
import { useKeys } from '../../../keys/session/page-keys.ts';
import type { TypedSecret } from '../../../keys/worker/protocol.ts';

/** Adds an existing phrase or seed. */
export default function BringDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('keys');
  const [secret, setSecret] = useState<TypedSecret | null>(null);
  const [label, setLabel] = useState('');
  const keySession = useKeys();
  const action = useAction();
  const submit = (): void => {
    if (secret === null) return;
    action.run(async () => {
      await keySession.change('keepTyped', { secret, label });
      onClose();
    });
  };
  return (
    <FormDialog
      title={t('bring.title')}
      onClose={onClose}
      isHeld
      size="lg"
      onSubmit={submit}
      submit={t('bring.keep')}
      isPending={action.isRunning}
      isDisabled={secret === null}
    >
      <Text size="sm">{t('bring.text')}</Text>
      <SecretInput kind={null} onRead={setSecret} />
      <LabelInput value={label} onChange={setLabel} />
      <Fault error={action.error} />
    </FormDialog>
  );
}
