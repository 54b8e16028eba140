import { FIELD_NAMES } from '../../../../../shared/protocol/fields.ts';
import { type FilterForm, FORMS, NO_FILTER } from './reading-filter.ts';

/** The maximum length of a bound. An address may be typed by hand. */
const MOST_LETTERS = 40;

/** Reads the filter of the readings from an address. Ignores unknown parts. */
export function readFilter(search: URLSearchParams): FilterForm {
  const field = FIELD_NAMES.find((name) => name === search.get('filter'));
  if (field === undefined) return NO_FILTER;
  const form = FORMS.find((each) => each === search.get('form')) ?? 'any';
  const bound = (end: 'min' | 'max') => (form === 'sealed' ? '' : (search.get(end) ?? '').slice(0, MOST_LETTERS));
  return { field, form, min: bound('min'), max: bound('max') };
}

/** Writes the filter into an address and keeps its other parts. The bounds are as typed, in the shown unit. */
export function writeFilter(search: URLSearchParams, { field, form, min, max }: FilterForm): URLSearchParams {
  const written = new URLSearchParams(search);
  const parts = { filter: field ?? '', form: form === 'any' ? '' : form, min: min.trim(), max: max.trim() };
  for (const [name, value] of Object.entries(parts)) {
    if (value === '' || field === null) written.delete(name);
    else written.set(name, value);
  }
  return written;
}
