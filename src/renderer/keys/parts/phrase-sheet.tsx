import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { Language } from '../../../shared/crypto/phrase/languages.ts';
import { QrCode } from '../../components/codes/qr-code.tsx';
import { Icon } from '../../components/icon.tsx';
import { useFormat } from '../../format/format.ts';
import { LANGUAGE_TAGS, PHRASE_LANGUAGES } from './languages.ts';
import classes from './parts.module.css';
import sheet from './sheet.module.css';

interface Props {
  readonly words: readonly string[];
  readonly language: Language | null;
  readonly label: string;
}

function Words({ words, language }: Pick<Props, 'words' | 'language'>) {
  return (
    <ol className={classes.words} lang={language === null ? undefined : LANGUAGE_TAGS[language]} translate="no">
      {words.map((word, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a word may stand twice, and its place is what it is
        <li key={at}>
          <span className={classes.number}>{at + 1}</span>
          <span>{word}</span>
        </li>
      ))}
    </ol>
  );
}

/** A phrase in clear: its words, its QR code if the owner asks for it, and a printable sheet. */
export function PhraseSheet({ words, language, label }: Props) {
  const { t } = useTranslation('keys');
  const format = useFormat();
  const [showsQr, setShowsQr] = useState(false);
  const text = words.join(' ');
  return (
    <>
      <Words words={words} language={language} />
      {showsQr ? <QrCode text={text} label={t('sheet.qrLabel')} /> : null}
      <Group gap="xs">
        <Button variant="default" size="xs" leftSection={<Icon name="print" />} onClick={() => window.print()}>
          {t('sheet.print')}
        </Button>
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name={showsQr ? 'eye-off' : 'eye'} />}
          aria-pressed={showsQr}
          onClick={() => setShowsQr(!showsQr)}
        >
          {t(showsQr ? 'sheet.hideQr' : 'sheet.showQr')}
        </Button>
      </Group>
      {createPortal(
        <div className={sheet.sheet} data-print-sheet aria-hidden="true">
          <h1>{t('sheet.title')}</h1>
          <p>
            {[label, language === null ? '' : PHRASE_LANGUAGES[language], format.dateTime(Date.now())]
              .filter((part) => part !== '')
              .join(' · ')}
          </p>
          <Words words={words} language={language} />
          <QrCode text={text} label={t('sheet.qrLabel')} className={sheet.qr ?? ''} />
          <p>{t('sheet.keep')}</p>
          <p className={sheet.line}>{t('sheet.notes')}</p>
        </div>,
        document.body,
      )}
    </>
  );
}
