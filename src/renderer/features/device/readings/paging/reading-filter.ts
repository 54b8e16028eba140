import { digitsOf } from '../../../../../shared/format/shown-digits.ts';
import { type FieldScale, PERCENT_FULL } from '../../../../../shared/measures/field-scale.ts';
import type { ReadingFilter } from '../../../../../shared/owner-api/readings.ts';
import type { FieldName } from '../../../../../shared/protocol/fields.ts';

export const FORMS = ['any', 'plain', 'sealed'] as const satisfies readonly ReadingFilter['form'][];

/** A filter as typed, with bounds in the shown unit. */
export interface FilterForm {
  readonly field: FieldName | null;
  readonly form: ReadingFilter['form'];
  readonly min: string;
  readonly max: string;
}

export const NO_FILTER: FilterForm = { field: null, form: 'any', min: '', max: '' };

/**
 * Returns the filter of a form, in the unit that the device sends. `refused` lists the bounds that are not numbers;
 * they are left out. A value passes if its shown digits are within the bounds: a value shown as 6.2 is 6.19999980926 in
 * the store.
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

/** Returns whether a bound excludes nothing, because levels beyond an empty or a full tank are shown as 0 or 100. */
function isBeyond(end: 'min' | 'max', bound: number, { unit }: FieldScale): boolean {
  return unit === PERCENT_FULL && (end === 'min' ? bound <= 0 : bound >= 100);
}

/**
 * Returns a bound in the unit that the device sends. If shown numbers are rounded, it is moved outwards by half of the
 * last digit.
 */
function widened(bound: number, scale: FieldScale, direction: -1 | 1): number {
  const half = scale.digits === null ? 0 : 0.5 * 10 ** -digitsOf(scale.digits, bound);
  return scale.toSent(bound + direction * half);
}

/** Returns null for empty text and NaN for invalid numbers. A comma is also a decimal separator. */
function numberIn(text: string): number | null {
  const typed = text.trim().replace(',', '.').replace('−', '-');
  if (typed === '') return null;
  const number = Number(typed);
  return Number.isFinite(number) ? number : Number.NaN;
}
