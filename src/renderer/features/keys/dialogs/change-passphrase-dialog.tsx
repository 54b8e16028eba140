import { Button, Group, PasswordInput, Progress, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Fault } from '../parts/fault.tsx';
import { isChosen, NewPassphrase, NO_PASSPHRASE } from '../parts/new-passphrase.tsx';
import { useAction } from '../parts/use-action.ts';
import { keySession } from '../session/key-session.ts';

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
          <PasswordInput
            size="sm"
            label={t('passphrase.current')}
            value={current}
            onChange={(event) => setCurrent(event.currentTarget.value)}
            autoComplete="off"
            visibilityToggleButtonProps={{ 'aria-label': t('passphrase.show') }}
            data-autofocus
          />
          <NewPassphrase value={next} onChange={setNext} />
          <Fault error={action.error} />
          {action.isRunning ? (
            <Progress value={action.progress * 100} size="sm" aria-label={t('unlock.working')} transitionDuration={0} />
          ) : null}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" size="xs" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" size="xs" disabled={current === '' || !isChosen(next)} loading={action.isRunning}>
              {t('passphrase.change')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
