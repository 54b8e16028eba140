import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Fault } from '../../../keys/parts/messages.tsx';
import { useAction } from '../../../keys/parts/use-action.ts';
import { useKeys } from '../../../keys/session/page-keys.ts';
import type { PhraseDraft } from '../../../keys/worker/protocol.ts';

const ASKED = 3;

/** Returns random word positions of a phrase, in ascending order. */
function somePlaces(count: number): number[] {
  const places = Array.from({ length: count }, (_, at) => ({ at, by: Math.random() }));
  return places
    .sort((a, b) => a.by - b.by)
    .slice(0, ASKED)
    .map(({ at }) => at)
    .sort((a, b) => a - b);
}

interface Props {
  readonly draft: PhraseDraft;
  readonly onBack: () => void;
  /** Called when all words are right. Stores the phrase. */
  readonly onRight: () => Promise<void>;
}

/** Asks for three words of a phrase that was just written down. */
export function ConfirmWords({ draft, onBack, onRight }: Props) {
  const { t } = useTranslation('keys');
  const [places] = useState(() => somePlaces(draft.words.length));
  const [typed, setTyped] = useState<readonly string[]>(() => places.map(() => ''));
  const [right, setRight] = useState<readonly boolean[] | null>(null);
  const keySession = useKeys();
  const action = useAction();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    action.run(async () => {
      const answers = places.map((at, index) => ({ at, word: typed[index]! }));
      const checked = await keySession.ask('checkDraft', { draftId: draft.draftId, answers });
      setRight(checked);
      if (checked.every(Boolean)) await onRight();
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm">{t('create.confirmText')}</Text>
        {places.map((at, index) => (
          <TextInput
            key={at}
            size="sm"
            label={t('create.wordNumber', { number: at + 1 })}
            value={typed[index]!}
            error={right?.[index] === false ? t('create.wrongWord') : undefined}
            onChange={(event) => {
              setTyped(typed.with(index, event.currentTarget.value));
              setRight(null);
            }}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            {...(index === 0 ? { 'data-autofocus': true, autoFocus: true } : {})}
          />
        ))}
        <Fault error={action.error} />
        <Group justify="space-between" gap="xs">
          <Button variant="default" size="xs" onClick={onBack}>
            {t('create.lookAgain')}
          </Button>
          <Button
            type="submit"
            size="xs"
            loading={action.isRunning}
            disabled={typed.some((word) => word.trim() === '')}
          >
            {t('create.keep')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
