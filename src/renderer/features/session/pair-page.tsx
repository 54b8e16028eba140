import { Button, Text, TextInput, Title } from '@mantine/core';
import i18next from 'i18next';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readPairingCode, showPairingCode } from '../../../shared/pairing-link.ts';
import type { DoorSession, PairOutcome } from '../../api/session/door-session.ts';
import { Icon, Logo } from '../../components/icon.tsx';
import { LanguageMenu } from '../../components/menus/language-menu.tsx';
import { ThemeMenu } from '../../components/menus/theme-menu.tsx';
import classes from './token-page.module.css';

// Load the texts together with the page, so that it does not suspend again.
await i18next.loadNamespaces('door');

/** Pairs this browser with the node by a code. `refused`: it was paired, and is no longer. */
export default function PairPage({ door, refused }: { door: DoorSession; refused: boolean }) {
  const { t } = useTranslation('door');
  const ofLink = readPairingCode(door.code ?? '');
  const [text, setText] = useState(ofLink === null ? '' : showPairingCode(ofLink));
  const [outcome, setOutcome] = useState<PairOutcome | null>(null);
  const [isAsking, setAsking] = useState(false);
  const code = readPairingCode(text);

  const pair = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (code === null) return;
    setAsking(true);
    const next = await door.pair(code);
    // From the start, as what it was paired: nothing of before is left.
    if (next === 'paired') window.location.replace(window.location.pathname);
    else {
      setOutcome(next);
      setAsking(false);
    }
  };
  const error =
    outcome === null
      ? undefined
      : typeof outcome === 'object'
        ? t('pair.wait', { count: outcome.waitSeconds })
        : t(`pair.${outcome === 'paired' ? 'failed' : outcome}`);
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
          {t('pair.title')}
        </Title>
        {refused ? (
          <p className={classes.refused} role="alert">
            <Icon name="lock" size={18} />
            <span>{t('pair.refused')}</span>
          </p>
        ) : null}
        <Text size="sm">{ofLink === null ? t('pair.text') : t('pair.textOfLink')}</Text>
        <form onSubmit={(event) => void pair(event)} className={classes.form}>
          <TextInput
            label={t('pair.code')}
            placeholder="XXXX-XXXX"
            size="md"
            value={text}
            error={error}
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={20}
            data-autofocus
            onChange={(event) => {
              setText(event.currentTarget.value);
              setOutcome(null);
            }}
          />
          <Button type="submit" size="md" disabled={code === null} loading={isAsking}>
            {t('pair.open')}
          </Button>
        </form>
        <Text size="xs" c="dimmed">
          {t('pair.kept')}
        </Text>
      </main>
    </div>
  );
}
