import { Alert, Button, Group, Modal, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { JournalEntry } from '../../shared/owner-data/journal.ts';
import { MAX_ENTRY_LENGTH } from '../../shared/owner-data/limits.ts';
import { errorCode } from '../api/errors.ts';
import { useDeleteEntry, useWriteEntry } from '../api/queries/journal.ts';
import { fromLocalInput, toLocalInput } from '../charts/range/chart-range.ts';
import { useFocusBack } from '../components/browser/focus.ts';
import { DialogFooter } from '../components/dialog-footer.tsx';

/** A device that an entry may be of. */
export interface NamedDevice {
  readonly id: string;
  readonly name: string;
}

interface Props {
  /** The entry that is changed; null: a new one. */
  readonly entry: JournalEntry | null;
  /** When a new one happened, Unix milliseconds. */
  readonly at: number;
  /** The first is what a new entry is of. */
  readonly devices: readonly NamedDevice[];
  readonly onClose: () => void;
}

/** Writes, changes or deletes what the owner noted at a time. */
export default function EntryDialog({ entry, at, devices, onClose }: Props) {
  const { t } = useTranslation(['journal', 'app']);
  const write = useWriteEntry();
  const remove = useDeleteEntry();
  useFocusBack();
  const [time, setTime] = useState(() => toLocalInput(entry?.at ?? at));
  const [text, setText] = useState(entry?.text ?? '');
  const [device, setDevice] = useState(entry === null ? (devices[0]?.id ?? '') : (entry.device ?? ''));
  const [isTried, setTried] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const chosen = fromLocalInput(time);
  const failed = write.error ?? remove.error;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (chosen === null || text.trim() === '') return;
    // An entry that is changed but for its time keeps its milliseconds.
    const when = entry !== null && time === toLocalInput(entry.at) ? entry.at : chosen;
    const written = { id: entry?.id ?? null, device: device === '' ? null : device, at: when, text: text.trim() };
    write.mutate(written, { onSuccess: onClose });
  };
  const onDelete = (): void => {
    if (isDeleting && entry !== null) remove.mutate(entry.id, { onSuccess: onClose });
    setDeleting(true);
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(entry === null ? 'dialog.add' : 'dialog.change')}
      closeButtonProps={{ 'aria-label': t('dialog.close') }}
    >
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Textarea
            size="sm"
            autosize
            minRows={2}
            maxRows={8}
            label={t('dialog.text')}
            placeholder={t('dialog.example')}
            maxLength={MAX_ENTRY_LENGTH}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            error={isTried && text.trim() === '' ? t('dialog.textMissing') : undefined}
            data-autofocus
          />
          <TextInput
            type="datetime-local"
            step={1}
            size="sm"
            label={t('dialog.time')}
            value={time}
            onChange={(event) => setTime(event.currentTarget.value)}
            error={isTried && chosen === null ? t('dialog.timeMissing') : undefined}
          />
          <NativeSelect
            size="sm"
            label={t('dialog.of')}
            value={device}
            onChange={(event) => setDevice(event.currentTarget.value)}
            data={[
              ...devices.map(({ id, name }) => ({ value: id, label: name })),
              ...(device === '' || devices.some(({ id }) => id === device)
                ? []
                : [{ value: device, label: t('anotherDevice') }]),
              { value: '', label: t('allDevices') },
            ]}
          />
          {failed === null ? null : (
            <Alert variant="light" color="red" p="xs" role="alert">
              {t('dialog.failed')} {t(`app:error.${errorCode(failed)}.text`)}
            </Alert>
          )}
          {entry === null ? null : (
            <Group>
              <Button
                variant={isDeleting ? 'filled' : 'default'}
                color="red"
                size="xs"
                loading={remove.isPending}
                onClick={onDelete}
              >
                {t(isDeleting ? 'dialog.deleteSure' : 'dialog.delete')}
              </Button>
            </Group>
          )}
          <DialogFooter leave={t('dialog.cancel')} onLeave={onClose}>
            <Button type="submit" size="xs" loading={write.isPending}>
              {t('dialog.save')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}
