import { Button, Stack, Text } from '@mantine/core';
import { type FormEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { DialogFooter } from '../../../components/dialog-footer.tsx';
import { PassphraseInput } from '../../../keys/inputs/passphrase.tsx';
import { Dialog } from '../../../keys/parts/dialog.tsx';
import { Fault } from '../../../keys/parts/messages.tsx';
import { useAction } from '../../../keys/parts/use-action.ts';
import { useKeys } from '../../../keys/session/page-keys.ts';
import type { SecretView } from '../../../keys/types.ts';

interface Props {
  readonly secret: SecretView;
  readonly onRemoved: () => void;
  readonly onClose: () => void;
}

/** Removes a phrase or seed for whoever knows the passphrase. */
export default function RemoveDialog({ secret, onRemoved, onClose }: Props) {
  const { t } = useTranslation('keys');
  const input = useRef<HTMLInputElement>(null);
  const keySession = useKeys();
  const action = useAction();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const passphrase = input.current?.value ?? '';
    action.run(async () => {
      await keySession.change('removeSecret', { secretId: secret.id, passphrase });
      onRemoved();
    });
  };
  return (
    <Dialog title={t('remove.title')} onClose={onClose}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Text size="sm">{t('remove.text')}</Text>
          <PassphraseInput ref={input} label={t('unlock.passphrase')} data-autofocus />
          <Fault error={action.error} />
          <DialogFooter leave={t('common.cancel')} onLeave={onClose}>
            <Button type="submit" size="xs" color="red" loading={action.isRunning}>
              {t('remove.remove')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Dialog>
  );
}
