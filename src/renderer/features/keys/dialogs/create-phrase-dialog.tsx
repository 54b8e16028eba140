import { Button, NativeSelect, SegmentedControl, Stack, Text } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Language } from '../../../../shared/crypto/phrase/languages.ts';
import { Dialog, DialogFooter } from '../../../components/dialog.tsx';
import { LabelInput } from '../../../keys/inputs/secret-input.tsx';
import { languageFor, PHRASE_LANGUAGES } from '../../../keys/parts/languages.ts';
import { Caution, Fault } from '../../../keys/parts/messages.tsx';
import { PhraseSheet } from '../../../keys/parts/phrase-sheet.tsx';
import { useAction } from '../../../keys/parts/use-action.ts';
import { useKeys } from '../../../keys/session/page-keys.ts';
import type { PhraseDraft } from '../../../keys/worker/protocol.ts';
import { useLanguage } from '../../../texts/language.ts';
import { ConfirmWords } from './confirm-words.tsx';

/** Creates a phrase, shows it once, asks for three of its words, and stores it. */
export default function CreatePhraseDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('keys');
  const shown = useLanguage();
  const [language, setLanguage] = useState<Language>(() => languageFor(shown));
  const [count, setCount] = useState<12 | 24>(12);
  const [label, setLabel] = useState('');
  const [draft, setDraft] = useState<PhraseDraft | null>(null);
  const [isWritten, setIsWritten] = useState(false);
  const keySession = useKeys();
  const action = useAction();
  const draftId = draft?.draftId;

  useEffect(() => {
    if (draftId === undefined) return;
    // If the keys were locked, the draft was lost with the worker.
    return () => void keySession.ask('dropDraft', { draftId }).catch(() => {});
  }, [keySession, draftId]);

  const create = (event: FormEvent): void => {
    event.preventDefault();
    action.run(async () => setDraft(await keySession.ask('createPhrase', { language, words: count })));
  };
  const keep = (id: string) => keySession.change('keepDraft', { draftId: id, label }).then(onClose);

  if (draft === null) {
    return (
      <Dialog title={t('create.title')} onClose={onClose}>
        <form onSubmit={create}>
          <Stack gap="sm">
            <Text size="sm">{t('create.text')}</Text>
            <NativeSelect
              size="sm"
              label={t('create.language')}
              description={t('create.languageText')}
              value={language}
              onChange={(event) => setLanguage(event.currentTarget.value as Language)}
              data={Object.entries(PHRASE_LANGUAGES).map(([value, name]) => ({ value, label: name }))}
              data-autofocus
            />
            <div>
              <Text size="sm" fw={500} mb={4}>
                {t('create.length')}
              </Text>
              <SegmentedControl
                size="xs"
                aria-label={t('create.length')}
                value={String(count)}
                onChange={(value) => setCount(value === '24' ? 24 : 12)}
                data={[12, 24].map((words) => ({ value: String(words), label: t('create.words', { count: words }) }))}
              />
            </div>
            {count === 24 ? <Caution role="status">{t('create.devicesTake12')}</Caution> : null}
            <LabelInput value={label} onChange={setLabel} />
            <Fault error={action.error} />
            <DialogFooter onLeave={onClose}>
              <Button type="submit" size="xs" loading={action.isRunning}>
                {t('create.create')}
              </Button>
            </DialogFooter>
          </Stack>
        </form>
      </Dialog>
    );
  }
  if (isWritten) {
    return (
      <Dialog title={t('create.confirmTitle')} onClose={onClose} isHeld>
        <ConfirmWords draft={draft} onBack={() => setIsWritten(false)} onRight={() => keep(draft.draftId)} />
      </Dialog>
    );
  }
  return (
    <Dialog title={t('create.showTitle')} onClose={onClose} isHeld>
      <Caution>{t('create.showText')}</Caution>
      <PhraseSheet words={draft.words} language={language} label={label} />
      <DialogFooter leave={t('create.discard')} onLeave={onClose}>
        <Button size="xs" onClick={() => setIsWritten(true)}>
          {t('create.written')}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
