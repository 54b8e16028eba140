import { Button, Checkbox, Group, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NewPassphrase } from '../../../keys/inputs/passphrase.tsx';
import { Fault, WorkProgress } from '../../../keys/parts/messages.tsx';
import { useKeySession, useKeys } from '../../../keys/session/page-keys.ts';
import classes from './keys.module.css';

interface Props {
  /** The label of the button. */
  readonly submit: string;
  /** Shown between the fields and the button, such as a checkbox. */
  readonly children?: ReactNode;
  readonly isAllowed?: boolean;
}

/** Creates an empty keystore with a new passphrase. */
export function NewKeystoreForm({ submit, children, isAllowed = true }: Props) {
  const keySession = useKeys();
  const session = useKeySession();
  const [passphrase, setPassphrase] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const isRunning = session.status === 'unlocking';
  const create = (event: FormEvent): void => {
    event.preventDefault();
    if (passphrase === null || !isAllowed || isRunning) return;
    setError(null);
    keySession.create(passphrase).catch(setError);
  };
  return (
    <form onSubmit={create}>
      <Stack gap="sm">
        <NewPassphrase onChosen={setPassphrase} />
        {children}
        <Fault error={error} />
        {isRunning ? <WorkProgress done={session.progress} /> : null}
        <Group>
          <Button type="submit" size="xs" disabled={passphrase === null || !isAllowed || isRunning}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Replaces a keystore that can't be opened with a new one, after the owner has confirmed it. Collapsed at first. */
export function ReplaceKeystore({ summary, text }: { summary: string; text: string }) {
  const { t } = useTranslation('keys');
  const [isSure, setIsSure] = useState(false);
  return (
    <details className={classes.more}>
      <summary>{summary}</summary>
      <p>{text}</p>
      <NewKeystoreForm submit={t('locked.replace')} isAllowed={isSure}>
        <Checkbox
          size="sm"
          label={t('locked.sure')}
          checked={isSure}
          onChange={(event) => setIsSure(event.currentTarget.checked)}
        />
      </NewKeystoreForm>
    </details>
  );
}
