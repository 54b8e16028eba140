import { Button, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { DialogFooter } from '../../../components/dialog-footer.tsx';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Fault } from '../parts/fault.tsx';
import { LabelInput } from '../parts/label-input.tsx';
import { SecretInput } from '../parts/secret-input.tsx';
import { useAction } from '../parts/use-action.ts';
import { keySession } from '../session/page-keys.ts';
import type { TypedSecret } from '../worker/protocol.ts';

/** Takes a phrase that exists already, or a seed. */
export default function BringDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('keys');
  const [secret, setSecret] = useState<TypedSecret | null>(null);
  const [label, setLabel] = useState('');
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
