import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { Icon } from '../../../components/icon.tsx';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Fault } from '../parts/fault.tsx';
import { PassphraseInput } from '../parts/passphrase-input.tsx';
import { WorkProgress } from '../parts/work-progress.tsx';
import { keySession, useKeySession } from '../session/page-keys.ts';
import { KeySessionError } from '../session/types.ts';

/** Asks for the passphrase and unlocks the keys. Beside it, on the desktop, the system's own way in. */
export function UnlockForm() {
  const { t } = useTranslation('keys');
  const session = useKeySession();
  // Not in the component's state: what is typed stays in the field and goes with it.
  const input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<unknown>(null);
  const isRunning = session.status === 'unlocking';
  const failure = session.status === 'locked' ? session.failure : null;
  const start = (work: Promise<void>): void => {
    setError(null);
    work.catch((cause: unknown) => {
      setError(cause);
      input.current?.select();
      input.current?.focus();
    });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const passphrase = input.current?.value ?? '';
    if (passphrase !== '' && !isRunning) start(keySession.unlock(passphrase));
  };
  const isWrong = failure === 'wrong_passphrase';
  const isKnown = error instanceof KeySessionError && (error.code === failure || error.code === 'locked');
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <PassphraseInput
          ref={input}
          label={t('unlock.passphrase')}
          aria-invalid={isWrong || undefined}
          readOnly={isRunning}
          data-autofocus
        />
        {failure === null ? null : (
          <Alert variant="light" color="red" p="xs" role="alert">
            {t(`fault.${failure}`)}
          </Alert>
        )}
        {isKnown ? null : <Fault error={error} />}
        {isRunning ? (
          <div>
            <Text size="xs" c="dimmed" role="status">
              {t('unlock.working')}
            </Text>
            <WorkProgress done={session.progress} />
          </div>
        ) : null}
        <Group gap="xs">
          <Button type="submit" size="xs" leftSection={<Icon name="unlock" />} disabled={isRunning}>
            {t('unlock.unlock')}
          </Button>
          {session.status === 'locked' && session.isRemembered ? (
            <Button variant="default" size="xs" onClick={() => start(keySession.unlockWithSystem())}>
              {t('unlock.withSystem')}
            </Button>
          ) : null}
        </Group>
      </Stack>
    </form>
  );
}
