import { digitsOf } from '../../../../../shared/format/shown-digits.ts';
import { type FieldScale, PERCENT_FULL } from '../../../../../shared/measures/field-scale.ts';
import type { ReadingFilter } from '../../../../../shared/owner-api/readings.ts';
import type { FieldName } from '../../../../../shared/protocol/fields.ts';

export const FORMS = ['any', 'plain', 'sealed'] as const satisfies readonly ReadingFilter['form'][];

/** A filter as it is typed: bounds in the unit that is shown. */
export interface FilterForm {
  readonly field: FieldName | null;
  readonly form: ReadingFilter['form'];
  readonly min: string;
  readonly max: string;
}

export const NO_FILTER: FilterForm = { field: null, form: 'any', min: '', max: '' };

/**
 * The filter of a form, in what the device sends; `refused` names bounds that are no numbers, and are left out. A value passes whose shown
 * digits lie within the bounds: what is shown as 6.2 is 6.19999980926 in the store.
 */
export function filterOf(
  { field, form, min, max }: FilterForm,
  scale: FieldScale | null,
): { readonly filter: ReadingFilter | null; readonly refused: readonly ('min' | 'max')[] } {
  if (field === null || scale === null) return { filter: null, refused: [] };
  const bounds = { min: numberIn(min), max: numberIn(max) };
  const refused = (['min', 'max'] as const).filter((end) => Number.isNaN(bounds[end]));
  const bound = (end: 'min' | 'max', direction: -1 | 1) =>
    bounds[end] === null || refused.includes(end) || isBeyond(end, bounds[end], scale)
      ? null
      : widened(bounds[end], scale, direction);
  const [lower, upper] = [bound('min', -1), bound('max', 1)];
  const [least, greatest] = scale.isReversed ? [upper, lower] : [lower, upper];
  return {
    filter: {
      field,
      form,
      min: least === null ? null : Math.min(least, Math.fround(least)),
      max: greatest === null ? null : Math.max(greatest, Math.fround(greatest)),
    },
    refused,
  };
}

/** Levels beyond an empty or a full tank are shown as 0 or 100: a bound there leaves nothing out. */
function isBeyond(end: 'min' | 'max', bound: number, { unit }: FieldScale): boolean {
  return unit === PERCENT_FULL && (end === 'min' ? bound <= 0 : bound >= 100);
}

/** A bound as the device would send it; where numbers are rounded to be shown, by half of the last digit further out. */
function widened(bound: number, scale: FieldScale, direction: -1 | 1): number {
  const half = scale.digits === null ? 0 : 0.5 * 10 ** -digitsOf(scale.digits, bound);
  return scale.toSent(bound + direction * half);
}

/** null for empty text, NaN for no number. A comma is a decimal sign, too. */
function numberIn(text: string): number | null {
  const typed = text.trim().replace(',', '.').replace('−', '-');
  if (typed === '') return null;
  const number = Number(typed);
  return Number.isFinite(number) ? number : Number.NaN;
}
