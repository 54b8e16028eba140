import { Button, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../components/failure.tsx';
import { Icon } from '../../components/icon.tsx';
import { PassphraseInput } from '../inputs/passphrase.tsx';
import { Fault, WorkProgress } from '../parts/messages.tsx';
import { useKeySession, useKeys } from '../session/page-keys.ts';
import { KeySessionError } from '../types.ts';

/**
 * A form that asks for the passphrase and unlocks the keys. On the desktop, the system's key storage may unlock them
 * too.
 */
export function UnlockForm() {
  const { t } = useTranslation('keys');
  const keySession = useKeys();
  const session = useKeySession();
  // Not kept in React state, so that the passphrase is only in the input element.
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
        <Failure>{failure === null ? null : t(`fault.${failure}`)}</Failure>
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
