import { Button, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DialogFooter } from '../../../components/dialog-footer.tsx';
import { NewPassphrase, PassphraseInput } from '../../../keys/inputs/passphrase.tsx';
import { Dialog } from '../../../keys/parts/dialog.tsx';
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
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (next === null) return;
    action.run(async (onProgress) => {
      await keySession.changePassphrase(current, next, onProgress);
      onClose();
    });
  };
  return (
    <Dialog title={t('passphrase.changeTitle')} onClose={onClose}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Text size="sm">{t('passphrase.changeText')}</Text>
          <PassphraseInput
            label={t('passphrase.current')}
            onChange={(event) => setCurrent(event.currentTarget.value)}
            data-autofocus
          />
          <NewPassphrase onChosen={setNext} />
          <Fault error={action.error} />
          {action.isRunning ? <WorkProgress done={action.progress} /> : null}
          <DialogFooter leave={t('common.cancel')} onLeave={onClose}>
            <Button type="submit" size="xs" disabled={current === '' || next === null} loading={action.isRunning}>
              {t('passphrase.change')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Dialog>
  );
}
