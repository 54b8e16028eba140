import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNode } from '../../api/node-connection.ts';
import { fromLocalInput, toLocalInput } from '../../charts/range/chart-range.ts';
import { FormDialog } from '../../components/dialog.tsx';
import { tomorrow } from './snooze.ts';

interface Props {
  readonly title: string;
  readonly onChosen: (until: number) => void;
  readonly onClose: () => void;
}

/** A dialog that asks how long an alert is snoozed. */
export default function SnoozeDialog({ title, onChosen, onClose }: Props) {
  const { t } = useTranslation(['alerting', 'app']);
  const { clock } = useNode();
  const [text, setText] = useState(() => toLocalInput(tomorrow(clock.now())));
  const [isTried, setTried] = useState(false);
  const chosen = fromLocalInput(text);
  const submit = (): void => {
    setTried(true);
    if (chosen !== null && chosen > clock.now()) onChosen(chosen);
  };
  return (
    <FormDialog onClose={onClose} title={t('snooze.title')} onSubmit={submit} submit={t('snooze.set')}>
      <Text size="sm" c="dimmed">
        {title}
      </Text>
      <TextInput
        type="datetime-local"
        size="sm"
        label={t('snooze.until')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={isTried && (chosen === null || chosen <= clock.now()) ? t('snooze.refused') : undefined}
        data-autofocus
      />
    </FormDialog>
  );
}
