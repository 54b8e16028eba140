import { Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { REFERENCE_UNITS } from '../../../../shared/measures/units.ts';
import type { DeviceDetail } from '../../../../shared/owner-api/devices.ts';
import { useOwnerChoices } from '../../../api/queries/choices.ts';
import { useSetNotes } from '../../../api/queries/devices.ts';
import { FormDialog } from '../../../components/dialog.tsx';
import { CallFailure } from '../../../components/failure.tsx';
import { SHOWN_FIELDS } from '../../../format/values.ts';
import { UnitFields } from './unit-fields.tsx';
import { type UnitRefusals, type UnitsForm, unitChoicesOf, unitsFormOf } from './unit-form.ts';
import classes from './units-dialog.module.css';

/**
 * Edits the units that the device sends, the units shown, and the distances of its tank. Saving also answers the
 * questions about earlier labels, because the owner has seen the units.
 */
export default function UnitsDialog({ device, onClose }: { device: DeviceDetail; onClose: () => void }) {
  const { t } = useTranslation(['device', 'app']);
  const save = useSetNotes();
  const distanceUnit = useOwnerChoices().units.distance ?? REFERENCE_UNITS.waterLevel;
  const [form, setForm] = useState<UnitsForm>(() => unitsFormOf(device.notes.units, distanceUnit));
  const [refused, setRefused] = useState<UnitRefusals>({});
  const submit = (): void => {
    const checked = unitChoicesOf(form, distanceUnit);
    setRefused('refused' in checked ? checked.refused : {});
    if ('refused' in checked) return;
    save.mutate({ id: device.id, change: { units: checked.units, earlierLabels: {} } }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      size="lg"
      onClose={onClose}
      title={t('units.title')}
      onSubmit={submit}
      submit={t('units.save')}
      isPending={save.isPending}
    >
      <Text size="xs" c="dimmed">
        {t('units.text')}
      </Text>
      <div className={classes.units}>
        {SHOWN_FIELDS.map((field) => (
          <UnitFields
            key={field}
            field={field}
            form={form[field]}
            distanceUnit={distanceUnit}
            refused={refused[field]}
            onChange={(unit) => setForm((before) => ({ ...before, [field]: unit }))}
          />
        ))}
      </div>
      <CallFailure error={save.error} lead={t('units.failed')} />
    </FormDialog>
  );
}
