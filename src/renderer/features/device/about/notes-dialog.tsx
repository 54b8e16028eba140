import {
  Alert,
  Button,
  Fieldset,
  Group,
  Modal,
  NativeSelect,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { displayText } from '../../../../shared/display-text.ts';
import type { DeviceDetail } from '../../../../shared/owner-api.ts';
import { automaticThreshold } from '../../../../shared/silence.ts';
import { errorCode } from '../../../api/errors.ts';
import { useSetNotes } from '../../../api/queries.ts';
import { DialogFooter } from '../../../components/dialog-footer.tsx';
import { useFormat } from '../../../format.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { SHOWN_FIELDS } from '../../../values.ts';
import { useFocusBack } from '../use-focus-back.ts';
import classes from './notes-dialog.module.css';
import { formOf, LONGEST_NAME, LONGEST_UNIT, type NotesForm, notesOf, THRESHOLD_UNITS } from './notes-form.ts';

/** What the owner notes on a device. It stays on this node and changes nothing at the device. */
export default function NotesDialog({ device, onClose }: { device: DeviceDetail; onClose: () => void }) {
  const { t } = useTranslation('device');
  const format = useFormat();
  const save = useSetNotes();
  useFocusBack();
  const [form, setForm] = useState(() => formOf(device.notes));
  const [refused, setRefused] = useState(false);
  const change = (part: Partial<NotesForm>): void => setForm((before) => ({ ...before, ...part }));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const checked = notesOf(form);
    setRefused('refused' in checked);
    if ('notes' in checked) save.mutate({ id: device.id, notes: checked.notes }, { onSuccess: onClose });
  };
  const onlyPublic = device.stores.every(({ store }) => store === 'public');
  return (
    <Modal opened onClose={onClose} title={t('notes.title')} closeButtonProps={{ 'aria-label': t('common.close') }}>
      <form onSubmit={submit}>
        <Stack gap="sm">
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
              error={refused ? t('notes.thresholdRefused') : undefined}
              onChange={(event) => change({ threshold: event.currentTarget.value })}
            />
            <NativeSelect
              size="sm"
              aria-label={t('notes.thresholdUnit')}
              value={form.thresholdUnit}
              onChange={(event) => change({ thresholdUnit: event.currentTarget.value as NotesForm['thresholdUnit'] })}
              data={Object.keys(THRESHOLD_UNITS).map((unit) => ({ value: unit, label: t(`notes.unit.${unit}`) }))}
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
              data={['0', '1', '2'].map((value) => ({ value, label: t(`notes.statuses.${value}`) }))}
            />
            <Text size="xs" c="dimmed" mt={4}>
              {t('notes.statusText')}
            </Text>
          </div>
          <Fieldset legend={t('notes.units')} variant="unstyled">
            <div className={classes.units}>
              {SHOWN_FIELDS.map((field) => (
                <TextInput
                  key={field}
                  size="xs"
                  label={t(`app:field.${field}`)}
                  maxLength={LONGEST_UNIT}
                  value={form.units[field]}
                  onChange={(event) => change({ units: { ...form.units, [field]: event.currentTarget.value } })}
                />
              ))}
            </div>
            <Text size="xs" c="dimmed" mt={4}>
              {t('notes.unitsText')}
            </Text>
          </Fieldset>
          {onlyPublic ? (
            <NativeSelect
              size="sm"
              label={t('notes.mine')}
              description={t('notes.mineText')}
              value={form.mine}
              onChange={(event) => change({ mine: event.currentTarget.value as NotesForm['mine'] })}
              data={['auto', 'yes', 'no'].map((value) => ({ value, label: t(`notes.mines.${value}`) }))}
            />
          ) : null}
          {save.isError ? (
            <Alert variant="light" color="red" p="xs" role="alert">
              {t('notes.failed')} {t(`app:error.${errorCode(save.error)}.text`)}
            </Alert>
          ) : null}
          <DialogFooter leave={t('common.cancel')} onLeave={onClose}>
            <Button type="submit" size="xs" loading={save.isPending}>
              {t('notes.save')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}
