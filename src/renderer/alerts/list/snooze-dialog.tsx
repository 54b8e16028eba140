import { Button, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNode } from '../../api/node-connection.ts';
import { fromLocalInput, toLocalInput } from '../../charts/range/chart-range.ts';
import { useFocusBack } from '../../components/browser/focus.ts';
import { DialogFooter } from '../../components/dialog-footer.tsx';
import { tomorrow } from './snooze.ts';

interface Props {
  readonly title: string;
  readonly onChosen: (until: number) => void;
  readonly onClose: () => void;
}

/** Asks until when an alert is not to be told again. */
export default function SnoozeDialog({ title, onChosen, onClose }: Props) {
  const { t } = useTranslation(['alerting', 'app']);
  const { clock } = useNode();
  useFocusBack();
  const [text, setText] = useState(() => toLocalInput(tomorrow(clock.now())));
  const [isTried, setTried] = useState(false);
  const chosen = fromLocalInput(text);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (chosen !== null && chosen > clock.now()) onChosen(chosen);
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('snooze.title')}
      closeButtonProps={{ 'aria-label': t('app:common.close') }}
    >
      <form onSubmit={submit}>
        <Stack gap="sm">
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
          <DialogFooter leave={t('cancel')} onLeave={onClose}>
            <Button type="submit" size="xs">
              {t('snooze.set')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}
