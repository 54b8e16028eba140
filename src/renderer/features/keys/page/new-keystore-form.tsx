import { Button, Group, Progress, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Fault } from '../parts/fault.tsx';
import { isChosen, NewPassphrase, NO_PASSPHRASE } from '../parts/new-passphrase.tsx';
import { keySession, useKeySession } from '../session/page-keys.ts';

interface Props {
  /** What the button says. */
  readonly submit: string;
  /** Between the fields and the button, such as a condition. */
  readonly children?: ReactNode;
  readonly isAllowed?: boolean;
}

/** Makes an empty keystore under a passphrase that is chosen here. */
export function NewKeystoreForm({ submit, children, isAllowed = true }: Props) {
  const { t } = useTranslation('keys');
  const session = useKeySession();
  const [passphrase, setPassphrase] = useState(NO_PASSPHRASE);
  const [error, setError] = useState<unknown>(null);
  const isRunning = session.status === 'unlocking';
  const create = (event: FormEvent): void => {
    event.preventDefault();
    if (!isChosen(passphrase) || !isAllowed || isRunning) return;
    setError(null);
    keySession.create(passphrase.first).catch(setError);
  };
  return (
    <form onSubmit={create}>
      <Stack gap="sm">
        <NewPassphrase value={passphrase} onChange={setPassphrase} />
        {children}
        <Fault error={error} />
        {isRunning ? (
          <Progress value={session.progress * 100} size="sm" aria-label={t('unlock.working')} transitionDuration={0} />
        ) : null}
        <Group>
          <Button type="submit" size="xs" disabled={!isChosen(passphrase) || !isAllowed || isRunning}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
