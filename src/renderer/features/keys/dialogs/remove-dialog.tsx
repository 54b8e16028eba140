import { Text } from '@mantine/core';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog } from '../../../components/dialog.tsx';
import { PassphraseInput } from '../../../keys/inputs/passphrase.tsx';
import { Fault } from '../../../keys/parts/messages.tsx';
import { useAction } from '../../../keys/parts/use-action.ts';
import { useKeys } from '../../../keys/session/page-keys.ts';
import type { SecretView } from '../../../keys/types.ts';

interface Props {
  readonly secret: SecretView;
  readonly onRemoved: () => void;
  readonly onClose: () => void;
}

/** Removes a phrase or seed. Requires the passphrase. */
export default function RemoveDialog({ secret, onRemoved, onClose }: Props) {
  const { t } = useTranslation('keys');
  const input = useRef<HTMLInputElement>(null);
  const keySession = useKeys();
  const action = useAction();
  const submit = (): void => {
    const passphrase = input.current?.value ?? '';
    action.run(async () => {
      await keySession.change('removeSecret', { secretId: secret.id, passphrase });
      onRemoved();
    });
  };
  return (
    <FormDialog
      title={t('remove.title')}
      onClose={onClose}
      size="lg"
      onSubmit={submit}
      submit={t('remove.remove')}
      isDanger
      isPending={action.isRunning}
    >
      <Text size="sm">{t('remove.text')}</Text>
      <PassphraseInput ref={input} label={t('unlock.passphrase')} data-autofocus />
      <Fault error={action.error} />
    </FormDialog>
  );
}
