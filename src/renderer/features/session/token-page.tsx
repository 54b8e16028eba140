import { Button, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNode } from '../../api/node-connection.ts';
import { tokenIn } from '../../api/session/session.ts';
import { CodeLine } from '../../components/codes/copy-button.tsx';
import classes from './session.module.css';
import { SessionFrame } from './session-frame.tsx';

const COMMAND = 'npm run headless -- --print-link';

/**
 * Asks for the link that the node gives its owner. `refused` means that the link stored in this browser is no longer
 * valid.
 */
export function TokenPage({ refused }: { refused: boolean }) {
  const { t } = useTranslation('app');
  const { session } = useNode();
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState(false);

  const open = (event: FormEvent): void => {
    event.preventDefault();
    const token = tokenIn(text);
    if (token === null) setWrong(true);
    else void session?.try(token);
  };

  return (
    <SessionFrame
      title={refused ? t('token.refusedTitle') : t('token.title')}
      refusal={refused ? t(session?.isUntried ? 'token.mistypedText' : 'token.refusedText') : null}
      icon="key"
    >
      <Text size="sm">{t('token.text')}</Text>
      <CodeLine text={COMMAND} label={t('token.copyCommand')} />
      <form onSubmit={open} className={classes.form}>
        <TextInput
          label={t('token.label')}
          placeholder="http://127.0.0.1:3001/ui/#token=…"
          value={text}
          error={wrong ? t('token.wrong') : undefined}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          onChange={(event) => {
            setText(event.currentTarget.value);
            setWrong(false);
          }}
        />
        <Button type="submit" disabled={text.trim() === ''}>
          {t('token.open')}
        </Button>
      </form>
      <Text size="xs" c="dimmed">
        {t('token.kept')}
      </Text>
    </SessionFrame>
  );
}
