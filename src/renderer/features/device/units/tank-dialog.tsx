import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PERCENT_FULL } from '../../../../shared/measures/field-scale.ts';
import { REFERENCE_UNITS, UNITS } from '../../../../shared/measures/units.ts';
import type { DeviceDetail } from '../../../../shared/owner-api/devices.ts';
import type { DeviceNotes } from '../../../../shared/owner-data/notes.ts';
import { useOwnerChoices } from '../../../api/queries/choices.ts';
import { useSetNotes } from '../../../api/queries/devices.ts';
import { FormDialog } from '../../../components/dialog.tsx';
import { CallFailure } from '../../../components/failure.tsx';
import { type UnitForm, unitChoiceOf, unitFormOf } from './unit-form.ts';

/** Asks only for the two distances of a device's tank, so that its water level is shown in per cent. */
export default function TankDialog({ device, onClose }: { device: DeviceDetail; onClose: () => void }) {
  const { t } = useTranslation(['device', 'app']);
  const save = useSetNotes();
  const distanceUnit = useOwnerChoices().units.distance ?? REFERENCE_UNITS.waterLevel;
  const [form, setForm] = useState<UnitForm>(() => ({
    ...unitFormOf('waterLevel', device.notes.units.waterLevel, distanceUnit),
    shown: PERCENT_FULL,
  }));
  const [isRefused, setRefused] = useState(false);
  const submit = (): void => {
    const checked = unitChoiceOf('waterLevel', form, distanceUnit);
    setRefused('refused' in checked);
    const waterLevel = 'refused' in checked ? undefined : checked.choice;
    if (waterLevel === undefined) return;
    const change = ({ units, earlierLabels: { waterLevel: _, ...earlierLabels } }: DeviceNotes) => ({
      units: { ...units, waterLevel },
      earlierLabels,
    });
    save.mutate({ id: device.id, change }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      onClose={onClose}
      title={t('units.setTank')}
      onSubmit={submit}
      submit={t('units.save')}
      isPending={save.isPending}
    >
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
      <CallFailure error={save.error} lead={t('units.failed')} />
    </FormDialog>
  );
}
