import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { withUnit } from '../../../../../shared/format/scaled.ts';
import type { ReadingFilter } from '../../../../../shared/owner-api/readings.ts';
import type { FieldName } from '../../../../../shared/protocol/fields.ts';
import type { Scales } from '../../../../devices/use-scales.ts';
import { SHOWN_FIELDS } from '../../../../format/values.ts';
import { setParameters, useParameters } from '../../../../router/parameters.ts';
import { readFilter, writeFilter } from './filter-url.ts';
import { type FilterForm, FORMS, filterOf, NO_FILTER } from './reading-filter.ts';

/** The bounds are applied when the owner has stopped typing for this long. */
const TYPED_AFTER_MS = 300;

interface Props {
  /** The path of the page whose address contains the filter. */
  readonly path: string;
  readonly scales: Scales;
  readonly onFilter: (filter: ReadingFilter | null) => void;
}

/** Filters the listed readings: by a field, its form, and two bounds in the owner's unit. */
export function FilterBar({ path, scales, onFilter }: Props) {
  const { t } = useTranslation(['device', 'app']);
  const { form, setForm, typed } = useFilterForm(path);
  const { field } = form;
  const { refused } = useMemo(() => filterOf(form, field === null ? null : scales[field]), [form, field, scales]);
  const filter = useMemo(
    () => JSON.stringify(filterOf(typed, typed.field === null ? null : scales[typed.field]).filter),
    [typed, scales],
  );
  // Compared as text, so that reloaded units do not repeat the request.
  useEffect(() => onFilter(JSON.parse(filter) as ReadingFilter | null), [filter, onFilter]);
  const change = (part: Partial<FilterForm>): void => setForm((before) => ({ ...before, ...part }));
  const unit = field === null ? '' : scales[field].symbol;
  return (
    <Group gap="xs" align="flex-end" role="group" aria-label={t('filter.label')}>
      <NativeSelect
        size="xs"
        aria-label={t('filter.field')}
        value={field ?? ''}
        onChange={({ currentTarget }) => {
          const chosen = SHOWN_FIELDS.find((each) => each === currentTarget.value) ?? null;
          // The bounds belong to the previous field.
          setForm(chosen === null ? NO_FILTER : { ...form, field: chosen, min: '', max: '' });
        }}
        data={[
          { value: '', label: t('filter.all') },
          ...SHOWN_FIELDS.map((each: FieldName) => ({ value: each, label: t(`app:field.${scales[each].label}`) })),
        ]}
      />
      {field === null ? null : (
        <>
          <NativeSelect
            size="xs"
            aria-label={t('filter.form')}
            value={form.form}
            onChange={({ currentTarget }) => {
              const chosen = FORMS.find((each) => each === currentTarget.value) ?? 'any';
              change(chosen === 'sealed' ? { form: chosen, min: '', max: '' } : { form: chosen });
            }}
            data={FORMS.map((each) => ({ value: each, label: t(`filter.forms.${each}`) }))}
          />
          {form.form === 'sealed'
            ? null
            : (['min', 'max'] as const).map((end) => (
                <TextInput
                  key={end}
                  size="xs"
                  w={120}
                  inputMode="decimal"
                  aria-label={t(`filter.${end}`, { unit })}
                  placeholder={withUnit(t(`filter.${end}Short`), unit)}
                  value={form[end]}
                  error={refused.includes(end) ? t('filter.refused') : undefined}
                  onChange={(event) => change({ [end]: event.currentTarget.value })}
                />
              ))}
          <Button variant="subtle" size="compact-xs" onClick={() => setForm(NO_FILTER)}>
            {t('filter.clear')}
          </Button>
        </>
      )}
    </Group>
  );
}

/** Returns the typed filter. It is kept in the page's address, and changes with the address. */
function useFilterForm(path: string) {
  const parameters = useParameters(path);
  const there = JSON.stringify(readFilter(new URLSearchParams(parameters)));
  const [form, setForm] = useState<FilterForm>(() => JSON.parse(there));
  const [typed] = useDebouncedValue(form, TYPED_AFTER_MS);
  const known = useRef(there);
  useEffect(() => {
    known.current = JSON.stringify(readFilter(writeFilter(new URLSearchParams(), typed)));
    // Replaces the history entry: in the charts, Back returns to the previous range.
    setParameters(path, (before) => writeFilter(before, typed), 'replace');
  }, [path, typed]);
  useEffect(() => {
    if (there === known.current) return;
    known.current = there;
    setForm(JSON.parse(there));
  }, [there]);
  return { form, setForm, typed };
}
