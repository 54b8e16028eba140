import { Button, NativeSelect, Text, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Language } from '../../../shared/crypto/phrase/languages.ts';
import { Icon } from '../../components/icon.tsx';
import { LANGUAGE_TAGS, PHRASE_LANGUAGES } from '../parts/languages.ts';
import { Caution } from '../parts/messages.tsx';
import classes from '../parts/parts.module.css';
import { useKeys } from '../session/page-keys.ts';
import type { PhraseReading, TypedSecret } from '../worker/protocol.ts';

/** How long after the last key press the phrase is read, in milliseconds. */
const READ_AFTER_MS = 150;
/** The maximum length, in case something else is pasted by mistake. */
const LONGEST = 2000;

interface Props {
  /** Called with the phrase when keys can be derived from it, otherwise with null. */
  readonly onRead: (secret: Extract<TypedSecret, { kind: 'phrase' }> | null) => void;
}

/** A field for a phrase. While the owner types, it shows the words that it read, and suggestions for the wrong ones. */
export function PhraseInput({ onRead }: Props) {
  const { t } = useTranslation('keys');
  const keySession = useKeys();
  // Uncontrolled, so that React writes no copy of the phrase into the document.
  const input = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState('');
  const [language, setLanguage] = useState<Language | null>(null);
  const [read, setRead] = useState<PhraseReading | null>(null);
  const [settled] = useDebouncedValue(text, READ_AFTER_MS);

  useEffect(() => {
    let isLatest = true;
    keySession.ask('readPhrase', { text: settled, language }).then(
      (reading) => {
        if (isLatest) setRead(reading);
      },
      // The keys were locked, so the dialog is about to close.
      () => {},
    );
    return () => {
      isLatest = false;
    };
  }, [keySession, settled, language]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was read makes a difference
  useEffect(() => {
    const first = read?.usable[0];
    onRead(first === undefined || text !== settled ? null : { kind: 'phrase', text, language: first.language });
  }, [read, text, settled]);

  const take = (at: number, word: string): void => {
    if (read === null) return;
    const next = read.words.map((each, index) => (index === at ? word : each.typed)).join(' ');
    if (input.current !== null) input.current.value = next;
    setText(next);
  };
  const first = read?.usable[0];
  const lang = read?.language === null || read === null ? undefined : LANGUAGE_TAGS[read.language];
  return (
    <>
      <Textarea
        size="sm"
        label={t('phrase.label')}
        description={t('phrase.text')}
        ref={input}
        maxLength={LONGEST}
        lang={lang}
        onChange={(event) => setText(event.currentTarget.value)}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        rows={3}
        data-autofocus
      />
      <NativeSelect
        size="xs"
        label={t('phrase.language')}
        value={language ?? ''}
        onChange={(event) =>
          setLanguage(event.currentTarget.value === '' ? null : (event.currentTarget.value as Language))
        }
        data={[
          { value: '', label: t('phrase.recognise') },
          ...Object.entries(PHRASE_LANGUAGES).map(([value, name]) => ({ value, label: name })),
        ]}
      />
      {read === null || read.words.length === 0 ? null : (
        <>
          <ol className={classes.read} lang={lang} aria-label={t('phrase.readAs')} translate="no">
            {read.words.map((word, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a word may stand twice, and its place is what it is
              <li key={at} data-wrong={word.word === null || undefined}>
                <span className={classes.number}>{at + 1}</span>
                <bdi>{word.word ?? word.typed}</bdi>
              </li>
            ))}
          </ol>
          {read.wrongWords.map((at) => (
            <div key={at} className={classes.near}>
              <Text size="sm" c="red" component="span">
                {read.language === null
                  ? t('phrase.wrongAnywhere', { number: at + 1, word: read.words[at]!.typed })
                  : t('phrase.wrong', {
                      number: at + 1,
                      word: read.words[at]!.typed,
                      language: PHRASE_LANGUAGES[read.language],
                    })}
              </Text>
              {read.words[at]!.near.slice(0, 5).map((near) => (
                <Button key={near} variant="default" size="compact-xs" lang={lang} onClick={() => take(at, near)}>
                  {near}
                </Button>
              ))}
            </div>
          ))}
          <div role="status">
            {first?.isChecksumRight === true ? (
              <Text size="sm" component="span" className={classes.good ?? ''}>
                <Icon name="check" />
                {t('phrase.right', { count: read.words.length, language: PHRASE_LANGUAGES[first.language] })}
              </Text>
            ) : null}
            {first !== undefined && !first.isChecksumRight ? <Caution>{t('phrase.checksum')}</Caution> : null}
            {read.isLengthRight ? null : (
              <Text size="sm" c="dimmed">
                {t('phrase.length', { count: read.words.length })}
              </Text>
            )}
            {read.usable.length > 1 && language === null ? (
              <Text size="sm" c="dimmed">
                {t('phrase.ambiguous', {
                  languages: read.usable.map((each) => PHRASE_LANGUAGES[each.language]).join(', '),
                })}
              </Text>
            ) : null}
            {first !== undefined && read.words.length !== 12 ? (
              <Text size="sm" c="dimmed">
                {t('phrase.not12')}
              </Text>
            ) : null}
          </div>
        </>
      )}
    </>
  );
}
