import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { View } from '../view.ts';
import { fromLocalInput, toLocalInput } from './chart-range.ts';

/** A time range as typed into the two fields, in local time. */
export interface TimeTexts {
  readonly from: string;
  readonly to: string;
}

/** Returns the texts of a time range for the two fields. */
export function timeTexts({ from, to }: View): TimeTexts {
  return { from: toLocalInput(from), to: toLocalInput(to) };
}

/** Returns the times in the fields, in Unix milliseconds and in any order; null if one of them is not a time. */
export function timesOf(texts: TimeTexts): View | null {
  const from = fromLocalInput(texts.from);
  const to = fromLocalInput(texts.to);
  return from === null || to === null ? null : { from, to };
}

interface Props {
  readonly value: TimeTexts;
  readonly onChange: (value: TimeTexts) => void;
  readonly disabled?: boolean;
  /** The error message of the two fields. */
  readonly error?: string | undefined;
  /** Whether the first field gets the focus. */
  readonly autoFocus?: boolean;
}

/** Two fields for the start and end of a time range, to the second. */
export function TimeFields({ value, onChange, disabled = false, error, autoFocus = false }: Props) {
  const { t } = useTranslation('charts');
  return (['from', 'to'] as const).map((end) => (
    <TextInput
      key={end}
      type="datetime-local"
      step={1}
      size="xs"
      label={t(`range.${end}`)}
      value={value[end]}
      disabled={disabled}
      onChange={(event) => onChange({ ...value, [end]: event.currentTarget.value })}
      error={end === 'to' ? error : undefined}
      data-autofocus={(autoFocus && end === 'from') || undefined}
    />
  ));
}
