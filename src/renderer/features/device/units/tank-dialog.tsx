import { Alert, Button, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PERCENT_FULL } from '../../../../shared/measures/field-scale.ts';
import { REFERENCE_UNITS, UNITS } from '../../../../shared/measures/units.ts';
import type { DeviceDetail } from '../../../../shared/owner-api/devices.ts';
import { errorCode } from '../../../api/errors.ts';
import { useOwnerChoices } from '../../../api/queries/choices.ts';
import { useSetNotes } from '../../../api/queries/devices.ts';
import { useFocusBack } from '../../../components/browser/focus.ts';
import { DialogFooter } from '../../../components/dialog-footer.tsx';
import { type UnitForm, unitChoiceOf, unitFormOf } from './unit-form.ts';

/** Asks for the two distances of a device's tank alone, so that its water level is shown in per cent. */
export default function TankDialog({ device, onClose }: { device: DeviceDetail; onClose: () => void }) {
  const { t } = useTranslation(['device', 'app']);
  const save = useSetNotes();
  useFocusBack();
  const distanceUnit = useOwnerChoices().units.distance ?? REFERENCE_UNITS.waterLevel;
  const { units, earlierLabels } = device.notes;
  const [form, setForm] = useState<UnitForm>(() => ({
    ...unitFormOf('waterLevel', units.waterLevel, distanceUnit),
    shown: PERCENT_FULL,
  }));
  const [isRefused, setRefused] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const checked = unitChoiceOf('waterLevel', form, distanceUnit);
    setRefused('refused' in checked);
    if ('refused' in checked || checked.choice === undefined) return;
    const { waterLevel: _, ...otherLabels } = earlierLabels;
    const notes = {
      ...device.notes,
      units: { ...units, waterLevel: checked.choice },
      earlierLabels: otherLabels,
    };
    save.mutate({ id: device.id, notes }, { onSuccess: onClose });
  };
  return (
    <Modal opened onClose={onClose} title={t('units.setTank')} closeButtonProps={{ 'aria-label': t('common.close') }}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Text size="xs" c="dimmed">
            {t('units.tankText')}
          </Text>
          {(['empty', 'full'] as const).map((end) => (
            <TextInput
              key={end}
              size="sm"
              inputMode="decimal"
              label={t(`units.${end}`, { unit: UNITS[distanceUnit].symbol })}
              value={form[end]}
              error={isRefused ? (end === 'full' ? t('units.tankRefused') : true) : undefined}
              onChange={(event) => setForm({ ...form, [end]: event.currentTarget.value })}
              data-autofocus={end === 'empty' || undefined}
            />
          ))}
          {save.isError ? (
            <Alert variant="light" color="red" p="xs" role="alert">
              {t('units.failed')} {t(`app:error.${errorCode(save.error)}.text`)}
            </Alert>
          ) : null}
          <DialogFooter leave={t('common.cancel')} onLeave={onClose}>
            <Button type="submit" size="xs" loading={save.isPending}>
              {t('units.save')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}
