import { Button, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNode } from '../../api/node-connection.ts';
import { tokenIn } from '../../api/session/session.ts';
import { CodeLine } from '../../components/codes/copy-button.tsx';
import { Icon, Logo } from '../../components/icon.tsx';
import { LanguageMenu } from '../../components/menus/language-menu.tsx';
import { ThemeMenu } from '../../components/menus/theme-menu.tsx';
import classes from './token-page.module.css';

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
    <div className={classes.page}>
      <header className={classes.header}>
        <Logo size={28} />
        <span className={classes.brand}>Wellhouse</span>
        <span className={classes.menus}>
          <ThemeMenu />
          <LanguageMenu />
        </span>
      </header>
      <main className={classes.card}>
        <Title order={1} size="h3">
          {refused ? t('token.refusedTitle') : t('token.title')}
        </Title>
        {refused ? (
          <p className={classes.refused} role="alert">
            <Icon name="key" size={18} />
            <span>{t(session?.isUntried ? 'token.mistypedText' : 'token.refusedText')}</span>
          </p>
        ) : null}
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
      </main>
    </div>
  );
}
