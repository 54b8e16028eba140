import { Button, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DialogFooter } from '../../../components/dialog-footer.tsx';
import { LabelInput, SecretInput } from '../../../keys/inputs/secret-input.tsx';
import { Dialog } from '../../../keys/parts/dialog.tsx';
import { Fault } from '../../../keys/parts/messages.tsx';
import { useAction } from '../../../keys/parts/use-action.ts';
import { useKeys } from '../../../keys/session/page-keys.ts';
import type { TypedSecret } from '../../../keys/worker/protocol.ts';

/** Adds an existing phrase or a seed. */
export default function BringDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('keys');
  const [secret, setSecret] = useState<TypedSecret | null>(null);
  const [label, setLabel] = useState('');
  const keySession = useKeys();
  const action = useAction();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (secret === null) return;
    action.run(async () => {
      await keySession.change('keepTyped', { secret, label });
      onClose();
    });
  };
  return (
    <Dialog title={t('bring.title')} onClose={onClose} isHeld>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Text size="sm">{t('bring.text')}</Text>
          <SecretInput kind={null} onRead={setSecret} />
          <LabelInput value={label} onChange={setLabel} />
          <Fault error={action.error} />
          <DialogFooter leave={t('common.cancel')} onLeave={onClose}>
            <Button type="submit" size="xs" disabled={secret === null} loading={action.isRunning}>
              {t('bring.keep')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Dialog>
  );
}
