import { Button, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { DialogFooter } from '../../../components/dialog-footer.tsx';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Fault } from '../parts/fault.tsx';
import { isChosen, NewPassphrase, NO_PASSPHRASE } from '../parts/new-passphrase.tsx';
import { PassphraseInput } from '../parts/passphrase-input.tsx';
import { useAction } from '../parts/use-action.ts';
import { WorkProgress } from '../parts/work-progress.tsx';
import { keySession } from '../session/page-keys.ts';

/** Puts the keystore under another passphrase. */
export default function ChangePassphraseDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('keys');
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState(NO_PASSPHRASE);
  const action = useAction();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isChosen(next)) return;
    action.run(async (onProgress) => {
      await keySession.changePassphrase(current, next.first, onProgress);
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
            value={current}
            onChange={(event) => setCurrent(event.currentTarget.value)}
            data-autofocus
          />
          <NewPassphrase value={next} onChange={setNext} />
          <Fault error={action.error} />
          {action.isRunning ? <WorkProgress done={action.progress} /> : null}
          <DialogFooter leave={t('common.cancel')} onLeave={onClose}>
            <Button type="submit" size="xs" disabled={current === '' || !isChosen(next)} loading={action.isRunning}>
              {t('passphrase.change')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Dialog>
  );
}
