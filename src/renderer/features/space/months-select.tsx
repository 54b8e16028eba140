import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format/format.ts';

const CHOICES = [1, 3, 6, 12, 24, 36, 60, 120];
const MONTHS_PER_YEAR = 12;

interface Props {
  readonly label: string;
  /** What it means that no time is chosen. */
  readonly none: string;
  readonly value: number | null;
  readonly onChange: (months: number | null) => void;
}

/** Chooses a time in months; one that was set elsewhere is among the choices. */
export function MonthsSelect({ label, none, value, onChange }: Props) {
  const { t } = useTranslation('space');
  const format = useFormat();
  const months = value === null || CHOICES.includes(value) ? CHOICES : [...CHOICES, value].sort((a, b) => a - b);
  const words = (count: number) => {
    const years = count / MONTHS_PER_YEAR;
    return Number.isInteger(years)
      ? t('keep.years', { count: years, number: format.integer(years) })
      : t('keep.months', { count, number: format.integer(count) });
  };
  return (
    <NativeSelect
      label={label}
      value={value ?? ''}
      data={[{ value: '', label: none }, ...months.map((count) => ({ value: String(count), label: words(count) }))]}
      onChange={(event) => {
        const chosen = event.currentTarget.value;
        onChange(chosen === '' ? null : Number(chosen));
      }}
    />
  );
}
