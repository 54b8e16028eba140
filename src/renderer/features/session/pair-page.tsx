import { Button, Text, TextInput, Title } from '@mantine/core';
import i18next from 'i18next';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type PairingCodeFault,
  readPairingCode,
  showFingerprint,
  showPairingCode,
  typedPairingCode,
} from '../../../shared/pairing-link.ts';
import type { DoorSession, PairOutcome } from '../../api/session/door-session.ts';
import { useFormat } from '../../format/format.ts';
import classes from './session.module.css';
import { SessionFrame } from './session-frame.tsx';

// Load the texts together with the page, so that it does not suspend again.
await i18next.loadNamespaces('door');

/** Pairs this browser with the node by a code. `refused` means that it was paired and no longer is. */
export default function PairPage({ door, refused }: { door: DoorSession; refused: boolean }) {
  const { t } = useTranslation('door');
  const ofLink = readPairingCode(door.code ?? '');
  const [text, setText] = useState(ofLink === null ? '' : showPairingCode(ofLink));
  const [outcome, setOutcome] = useState<PairOutcome | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [isWrong, setWrong] = useState(false);
  const typed = typedPairingCode(text);
  const endedAt = useEndedAt(door);
  const format = useFormat();

  const pair = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setWrong(!('code' in typed));
    if (!('code' in typed)) return;
    setAsking(true);
    const next = await door.pair(typed.code);
    // The page is reloaded with the new role, so that no state from before the pairing remains.
    if (next === 'paired') window.location.replace(window.location.pathname);
    else {
      setOutcome(next);
      setAsking(false);
    }
  };
  const wrongText = (fault: PairingCodeFault): string =>
    fault.kind === 'length'
      ? t('pair.badLength', { count: fault.length })
      : t('pair.badCharacters', { characters: fault.characters.join(' ') });
  const wrong = 'code' in typed || !isWrong ? undefined : wrongText(typed);
  const error =
    outcome === null
      ? wrong
      : typeof outcome === 'object'
        ? t('pair.wait', { count: outcome.waitSeconds })
        : t(`pair.${outcome === 'paired' ? 'failed' : outcome}`);
  const refusal =
    endedAt !== null ? t('pair.ended', { at: format.dateTime(endedAt) }) : refused ? t('pair.refused') : null;
  return (
    <SessionFrame
      title={t('pair.title')}
      refusal={refusal}
      icon="lock"
      below={<Certificate fingerprint={door.fingerprint} />}
    >
      <Text size="sm">{ofLink === null ? t('pair.text') : t('pair.textOfLink')}</Text>
      <form onSubmit={(event) => void pair(event)} className={classes.form}>
        <TextInput
          label={t('pair.code')}
          description={t('pair.codeText')}
          placeholder="7KM4-XWPA"
          size="md"
          value={text}
          error={error}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={200}
          data-autofocus
          onChange={(event) => {
            setText(event.currentTarget.value);
            setOutcome(null);
            setWrong(false);
          }}
        />
        <Button type="submit" size="md" disabled={text.trim() === ''} loading={isAsking}>
          {t('pair.open')}
        </Button>
      </form>
      <Text size="xs" c="dimmed">
        {t('pair.kept')}
      </Text>
    </SessionFrame>
  );
}

/** Returns when the owner ended this browser's access, in Unix milliseconds; null if it is unknown or it had none. */
function useEndedAt(door: DoorSession): number | null {
  const [endedAt, setEndedAt] = useState<number | null>(null);
  useEffect(() => {
    void door.endedAt().then(setEndedAt);
  }, [door]);
  return endedAt;
}

/** Explains why the browser warned, and how to check that this is the right machine. */
function Certificate({ fingerprint }: { fingerprint: string | null }) {
  const { t } = useTranslation('door');
  return (
    <section className={classes.card}>
      <Title order={2} size="h5">
        {t('pair.certificate.title')}
      </Title>
      <Text size="sm">{t('pair.certificate.why')}</Text>
      <Text size="sm">{t('pair.certificate.how')}</Text>
      {fingerprint === null ? (
        <Text size="sm">{t('pair.certificate.elsewhere')}</Text>
      ) : (
        <div>
          <Text size="sm">{t('pair.certificate.ofLink')}</Text>
          <code className={classes.fingerprint}>{showFingerprint(fingerprint)}</code>
        </div>
      )}
      <Text size="sm">{t('pair.certificate.differs')}</Text>
    </section>
  );
}
