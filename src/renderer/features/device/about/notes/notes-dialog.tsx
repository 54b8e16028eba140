import { Checkbox, Group, NativeSelect, SegmentedControl, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { displayText } from '../../../../../shared/display-text.ts';
import type { DeviceDetail } from '../../../../../shared/owner-api/devices.ts';
import { MAX_DEVICE_TEXT_LENGTH } from '../../../../../shared/owner-data/limits.ts';
import { automaticThreshold } from '../../../../../shared/silence.ts';
import { useSetNotes } from '../../../../api/queries/devices.ts';
import { FormDialog } from '../../../../components/dialog.tsx';
import { CallFailure } from '../../../../components/failure.tsx';
import { useFormat } from '../../../../format/format.ts';
import classes from './notes-dialog.module.css';
import { formOf, LONGEST_NAME, type NotesForm, notesOf, UNIT_NAMES, withMine } from './notes-form.ts';

/** Edits the owner's notes on a device. They stay on this node and change nothing on the device. */
export default function NotesDialog({ device, onClose }: { device: DeviceDetail; onClose: () => void }) {
  const { t } = useTranslation(['device', 'app']);
  const format = useFormat();
  const save = useSetNotes();
  const [form, setForm] = useState(() => formOf(device.notes));
  const [isRefused, setRefused] = useState(false);
  const change = (part: Partial<NotesForm>): void => setForm((before) => ({ ...before, ...part }));
  const submit = (): void => {
    const notes = notesOf(form);
    setRefused(notes === null);
    if (notes !== null) save.mutate({ id: device.id, change: notes }, { onSuccess: onClose });
  };
  const onlyPublic = device.stores.every(({ store }) => store === 'public');
  return (
    <FormDialog
      size="lg"
      onClose={onClose}
      title={t('notes.title')}
      onSubmit={submit}
      submit={t('notes.save')}
      isPending={save.isPending}
    >
      <Text size="xs" c="dimmed">
        {t('notes.text')}
      </Text>
      <TextInput
        size="sm"
        label={t('notes.name')}
        placeholder={displayText(device.name)}
        maxLength={LONGEST_NAME}
        value={form.displayName}
        onChange={(event) => change({ displayName: event.currentTarget.value })}
        data-autofocus
      />
      <Group gap="xs" align="end">
        <TextInput
          className={classes.grow ?? ''}
          size="sm"
          inputMode="decimal"
          label={t('notes.threshold')}
          description={t('notes.thresholdText', {
            span: format.duration(automaticThreshold(device.usualIntervalMs)),
          })}
          placeholder={t('notes.automatic')}
          value={form.threshold}
          error={isRefused ? t('notes.thresholdRefused') : undefined}
          onChange={(event) => change({ threshold: event.currentTarget.value })}
        />
        <NativeSelect
          size="sm"
          aria-label={t('notes.thresholdUnit')}
          value={form.thresholdUnit}
          onChange={(event) => change({ thresholdUnit: event.currentTarget.value as NotesForm['thresholdUnit'] })}
          data={UNIT_NAMES.map((unit) => ({ value: unit, label: t(`notes.unit.${unit}`) }))}
        />
      </Group>
      <div>
        <Text size="sm" fw={500} mb={4}>
          {t('notes.status')}
        </Text>
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label={t('notes.status')}
          value={form.status}
          onChange={(status) => change({ status: status as NotesForm['status'] })}
          data={(['0', '1', '2'] as const).map((value) => ({ value, label: t(`notes.statuses.${value}`) }))}
        />
        <Text size="xs" c="dimmed" mt={4}>
          {t('notes.statusText')}
        </Text>
      </div>
      <Textarea
        size="sm"
        autosize
        minRows={2}
        maxRows={8}
        label={t('notes.freeText')}
        maxLength={MAX_DEVICE_TEXT_LENGTH}
        value={form.text}
        onChange={(event) => change({ text: event.currentTarget.value })}
      />
      {onlyPublic ? (
        <NativeSelect
          size="sm"
          label={t('notes.mine')}
          description={t('notes.mineText')}
          value={form.mine}
          onChange={(event) => setForm(withMine(form, event.currentTarget.value as NotesForm['mine']))}
          data={(['auto', 'yes', 'no'] as const).map((value) => ({ value, label: t(`notes.mines.${value}`) }))}
        />
      ) : null}
      <Checkbox
        size="sm"
        label={t('hide.heading')}
        description={t('hide.text')}
        checked={form.isHidden}
        onChange={(event) => change({ isHidden: event.currentTarget.checked })}
      />
      <CallFailure error={save.error} lead={t('notes.failed')} />
    </FormDialog>
  );
}
