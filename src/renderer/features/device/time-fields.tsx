import { TextInput } from '@mantine/core';
import { useTranslation } from '../../i18n/use-translation.ts';
import { fromLocalInput, toLocalInput, type View } from './charts/chart-range.ts';

/** A stretch of time as it stands in its two fields, in local time. */
export interface TimeTexts {
  readonly from: string;
  readonly to: string;
}

/** How the fields show a stretch of time. */
export function timeTexts({ from, to }: View): TimeTexts {
  return { from: toLocalInput(from), to: toLocalInput(to) };
}

/** The times that the fields name, in Unix milliseconds; null where one of them is none. They may be in either order. */
export function timesOf(texts: TimeTexts): View | null {
  const from = fromLocalInput(texts.from);
  const to = fromLocalInput(texts.to);
  return from === null || to === null ? null : { from, to };
}

interface Props {
  readonly value: TimeTexts;
  readonly onChange: (value: TimeTexts) => void;
  readonly disabled?: boolean;
  /** What is wrong with the two. */
  readonly error?: string | undefined;
  /** Takes the focus where they are shown first. */
  readonly autoFocus?: boolean;
}

/** Two fields for the beginning and the end of a stretch of time, to the second. */
export function TimeFields({ value, onChange, disabled = false, error, autoFocus = false }: Props) {
  const { t } = useTranslation('device');
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
