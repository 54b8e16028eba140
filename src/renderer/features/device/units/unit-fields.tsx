import { NativeSelect, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PERCENT_FULL } from '../../../../shared/measures/field-scale.ts';
import { QUANTITIES, UNITS, type UnitId, unitsOf } from '../../../../shared/measures/units.ts';
import { MAX_LABEL_LENGTH } from '../../../../shared/owner-data/limits.ts';
import type { FieldName } from '../../../../shared/protocol/fields.ts';
import { unitName } from '../../../devices/unit-name.ts';
import { GENERAL, OWN_LABEL, type UnitForm, type UnitRefusal } from './unit-form.ts';
import classes from './units-dialog.module.css';

interface Props {
  readonly field: FieldName;
  readonly form: UnitForm;
  /** The unit of the two distances. */
  readonly distanceUnit: UnitId;
  readonly refused: UnitRefusal | undefined;
  readonly onChange: (form: UnitForm) => void;
}

/** Edits the units of one field: the unit sent, the unit shown, and the two distances of a tank. */
export function UnitFields({ field, form, distanceUnit, refused, onChange }: Props) {
  const { t } = useTranslation(['device', 'app']);
  const { t: tApp } = useTranslation('app');
  const units = unitsOf(QUANTITIES[field]);
  const name = t(`app:field.${field === 'waterLevel' ? 'waterAny' : field}`);
  const named = (unit: UnitId) => ({ value: unit, label: unitName(tApp, unit) || t('units.none') });
  const hasTank = field === 'waterLevel' && form.sent !== OWN_LABEL;
  return (
    <fieldset className={classes.unit} aria-label={t('units.of', { name })}>
      <span className={classes.unitName}>{name}</span>
      <NativeSelect
        size="xs"
        label={t('units.sent')}
        value={form.sent}
        onChange={(event) => onChange({ ...form, sent: event.currentTarget.value as UnitForm['sent'] })}
        data={[...units.map(named), { value: OWN_LABEL, label: t('units.other') }]}
      />
      {form.sent === OWN_LABEL ? (
        <TextInput
          size="xs"
          label={t('units.label')}
          maxLength={MAX_LABEL_LENGTH}
          value={form.label}
          error={refused === 'label' ? t('units.labelRefused') : undefined}
          onChange={(event) => onChange({ ...form, label: event.currentTarget.value })}
        />
      ) : units.length === 1 ? null : (
        <NativeSelect
          size="xs"
          label={t('units.shown')}
          value={form.shown}
          onChange={(event) => onChange({ ...form, shown: event.currentTarget.value as UnitForm['shown'] })}
          data={[
            { value: GENERAL, label: t('units.general') },
            ...units.map(named),
            ...(hasTank ? [{ value: PERCENT_FULL, label: t('app:unit.percentFull') }] : []),
          ]}
        />
      )}
      {hasTank
        ? (['empty', 'full'] as const).map((end) => (
            <TextInput
              key={end}
              className={end === 'empty' ? (classes.empty ?? '') : ''}
              size="xs"
              inputMode="decimal"
              label={t(`units.${end}`, { unit: UNITS[distanceUnit].symbol })}
              value={form[end]}
              error={refused === 'tank' ? (end === 'full' ? t('units.tankRefused') : true) : undefined}
              onChange={(event) => onChange({ ...form, [end]: event.currentTarget.value })}
            />
          ))
        : null}
    </fieldset>
  );
}
