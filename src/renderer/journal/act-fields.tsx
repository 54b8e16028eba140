import { Group, NativeSelect, TextInput } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { LOG_UNITS, logKind, MAX_PRODUCT_LENGTH } from '../../shared/owner-data/log-kinds.ts';
import type { ActFault, ActForm } from './act-form.ts';

interface Props {
  readonly form: ActForm;
  readonly onChange: (form: ActForm) => void;
  readonly faults: { readonly product?: ActFault; readonly amount?: ActFault };
  /** The products of earlier entries. */
  readonly products: readonly string[];
}

/** The fields for the product and the amount, if the kind has them. */
export function ActFields({ form, onChange, faults, products }: Props) {
  const { t } = useTranslation('journal');
  const list = useId();
  if (form.kind === 'note') return null;
  const { hasProduct = false, units, isAmountOptional = false } = logKind(form.kind);
  const fault = (name: ActFault | undefined) => (name === undefined ? undefined : t(`act.${name}`));
  return (
    <>
      {hasProduct ? (
        <>
          <TextInput
            size="sm"
            label={t('act.product')}
            list={list}
            maxLength={MAX_PRODUCT_LENGTH}
            value={form.product}
            onChange={(event) => onChange({ ...form, product: event.currentTarget.value })}
            error={fault(faults.product)}
            data-autofocus={form.product === '' || undefined}
          />
          <datalist id={list}>
            {products.map((product) => (
              <option key={product} value={product} />
            ))}
          </datalist>
        </>
      ) : null}
      {units === undefined ? null : (
        <Group gap="xs" align="flex-start" wrap="nowrap">
          <TextInput
            flex={1}
            size="sm"
            inputMode="decimal"
            autoComplete="off"
            label={t(isAmountOptional ? 'act.amountOptional' : 'act.amount')}
            value={form.amount}
            onChange={(event) => onChange({ ...form, amount: event.currentTarget.value })}
            error={fault(faults.amount)}
            data-autofocus={!hasProduct || form.product !== '' || undefined}
          />
          <NativeSelect
            size="sm"
            label={t('act.unit')}
            value={form.unit}
            onChange={({ currentTarget: { value } }) =>
              onChange({ ...form, unit: LOG_UNITS.find((unit) => unit === value) ?? form.unit })
            }
            data={units.map((unit) => ({ value: unit, label: t(`unit.${unit}`) }))}
          />
        </Group>
      )}
    </>
  );
}
