import { Group, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_KEPT } from '../../../shared/owner-api/limits.ts';
import type { KeptSpan } from '../../../shared/owner-api/retention.ts';
import { useFormat } from '../../format/format.ts';
import { numberOf } from '../../settings/endpoint-form.ts';

const UNITS = ['days', 'weeks', 'months'] as const;
const OTHER = 'other';
const MONTHS_PER_YEAR = 12;
const CHOICES: readonly KeptSpan[] = [
  { count: 1, unit: 'days' },
  { count: 3, unit: 'days' },
  { count: 1, unit: 'weeks' },
  { count: 2, unit: 'weeks' },
  ...[1, 3, 6, 12, 24, 36, 60, 120].map((count) => ({ count, unit: 'months' as const })),
];
const FIRST_OTHER: KeptSpan = { count: 30, unit: 'days' };
/** Returns the key of a span. Months are a number without a unit. */
const keyOf = ({ count, unit }: KeptSpan) => (unit === 'months' ? String(count) : `${count} ${unit}`);

interface Props {
  readonly label: string;
  /** The label for no time limit. */
  readonly none: string;
  readonly value: KeptSpan | null;
  readonly onChange: (span: KeptSpan | null) => void;
}

/** Chooses how long readings are kept: one of the listed spans, or any number of days, weeks or months. */
export function KeptSelect({ label, none, value, onChange }: Props) {
  const { t } = useTranslation('space');
  const words = useKeptWords();
  const [isOther, setOther] = useState(false);
  const isListed = value === null || CHOICES.some((each) => keyOf(each) === keyOf(value));
  const spans = isListed || value === null ? CHOICES : [...CHOICES, value];
  return (
    <div>
      <NativeSelect
        label={label}
        value={isOther ? OTHER : value === null ? '' : keyOf(value)}
        data={[
          { value: '', label: none },
          ...spans.map((span) => ({ value: keyOf(span), label: words(span) })),
          { value: OTHER, label: t('keep.other') },
        ]}
        onChange={(event) => {
          const chosen = event.currentTarget.value;
          setOther(chosen === OTHER);
          if (chosen === OTHER) onChange(value ?? FIRST_OTHER);
          else onChange(spans.find((span) => keyOf(span) === chosen) ?? null);
        }}
      />
      {isOther ? <OtherSpan label={label} first={value ?? FIRST_OTHER} onChange={onChange} /> : null}
    </div>
  );
}

function OtherSpan({ label, first, onChange }: Pick<Props, 'label' | 'onChange'> & { first: KeptSpan }) {
  const { t } = useTranslation('space');
  const format = useFormat();
  const [text, setText] = useState(String(first.count));
  const [unit, setUnit] = useState(first.unit);
  const most = MAX_KEPT[unit];
  const take = (typed: string, of: KeptSpan['unit']) => {
    setText(typed);
    setUnit(of);
    const count = numberOf(typed, 1, MAX_KEPT[of]);
    // An invalid number deletes nothing.
    onChange(count === null ? null : { count, unit: of });
  };
  return (
    <Group gap="xs" mt={4} wrap="nowrap" align="flex-start">
      <TextInput
        aria-label={t('keep.countOf', { label })}
        inputMode="numeric"
        maxLength={4}
        value={text}
        error={numberOf(text, 1, most) === null ? t('keep.countRange', { most: format.integer(most) }) : undefined}
        onChange={(event) => take(event.currentTarget.value, unit)}
      />
      <NativeSelect
        aria-label={t('keep.unitOf', { label })}
        value={unit}
        data={UNITS.map((each) => ({ value: each, label: t(`keep.unit.${each}`) }))}
        onChange={(event) => take(text, UNITS.find((each) => each === event.currentTarget.value) ?? unit)}
      />
    </Group>
  );
}

/** Returns a function that describes a span in words. */
function useKeptWords(): (span: KeptSpan) => string {
  const { t } = useTranslation('space');
  const format = useFormat();
  return ({ count, unit }) => {
    const years = count / MONTHS_PER_YEAR;
    if (unit === 'months' && Number.isInteger(years)) {
      return t('keep.years', { count: years, number: format.integer(years) });
    }
    return t(`keep.${unit}`, { count, number: format.integer(count) });
  };
}
