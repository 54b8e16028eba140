import { shortestFloat32 } from '../float32.ts';
import { isDerived } from '../measures/derived.ts';
import { type FieldScale, PERCENT_FULL } from '../measures/field-scale.ts';
import { REFERENCE_DIGITS } from '../measures/units.ts';
import { type Format, needsExponent } from './format.ts';
import { digitsOf } from './shown-digits.ts';

/** Returns a number with its unit. */
export function withUnit(number: string, symbol: string): string {
  return symbol === '' ? number : `${number} ${symbol}`;
}

/** The owner's mark that a level is beyond; null if it is between them, or is not a level. */
export type BeyondTank = 'belowEmpty' | 'aboveFull' | null;

/** Returns the mark of the tank that a shown level is beyond. Words say so next to the 0 or 100 of `valueText`. */
export function beyondTank(scale: FieldScale, shown: number): BeyondTank {
  if (scale.unit !== PERCENT_FULL) return null;
  return shown < 0 ? 'belowEmpty' : shown > 100 ? 'aboveFull' : null;
}

/** Returns a level's number with the words of the mark that it is beyond; the number alone if `mark` is null. */
export function withMark(number: string, mark: string | null): string {
  return mark === null ? number : `${number} (${mark})`;
}

/** Limits a level to the range from empty to full. */
function inTank(scale: FieldScale, shown: number): number {
  return scale.unit === PERCENT_FULL ? Math.min(100, Math.max(0, shown)) : shown;
}

/** Returns the decimals of a shown value. A derived value always has the same: it has no sensor with a resolution. */
function digitsIn(scale: FieldScale, usual: number, value: number): number {
  return isDerived(scale.field) ? usual : digitsOf(usual, value);
}

/** Returns the decimals of a field whose values are shown as sent. */
function referenceDigits({ field, decimals }: FieldScale): number {
  return isDerived(field) ? decimals : REFERENCE_DIGITS[field];
}

/**
 * Returns a value in its scale, without the unit: with all its digits if it is shown as sent, and with at least `least`
 * decimals, so that 21 below 21.53 is 21.00.
 */
export function valueText(format: Format, scale: FieldScale, value: number, least = scale.decimals): string {
  const shown = inTank(scale, value);
  return scale.digits === null
    ? format.number(shown, least)
    : format.rounded(shown, Math.max(least, digitsIn(scale, scale.digits, shown)), least);
}

/** Returns a decrypted value: an encrypted float32 has more digits than its sensor. */
export function openedText(format: Format, scale: FieldScale, shown: number, least = scale.decimals): string {
  return scale.digits === null
    ? format.rounded(shown, Math.max(least, digitsIn(scale, referenceDigits(scale), shown)), least)
    : valueText(format, scale, shown, least);
}

/** Returns a value for a quick look: with the decimals of its field; with a free label, with its own decimals. */
export function glanceText(format: Format, scale: FieldScale, value: number): string {
  const shown = inTank(scale, value);
  if (scale.unit === null) return valueText(format, scale, value);
  const digits = scale.unit === PERCENT_FULL ? 0 : digitsIn(scale, Math.min(2, scale.decimals), shown);
  return format.rounded(shown, digits, Math.min(digits, scale.decimals));
}

/**
 * Returns a mean of values in their scale, with the decimals of the field, and at least one. The decimals do not depend
 * on the values, so that means next to each other look alike. With a free label, they do: the size of its values is
 * unknown.
 */
export function meanText(format: Format, scale: FieldScale, found: number): string {
  const { decimals, unit } = scale;
  const mean = inTank(scale, found);
  const least = Math.max(1, decimals);
  const digits = unit === null ? digitsOf(least, mean) : least;
  return format.rounded(mean, digits, digits);
}

/**
 * Returns a mean to show next to the least and greatest value of its step, with their decimals. So the number of
 * decimals does not change while the cursor moves.
 */
export function stepMeanText(format: Format, scale: FieldScale, found: number): string {
  if (scale.unit === null) return meanText(format, scale, found);
  const mean = inTank(scale, found);
  return format.rounded(mean, digitsIn(scale, scale.decimals, mean), scale.decimals);
}

/**
 * Returns a sent value in its scale, for a file. A converted value has the decimals that distinguish it from its
 * neighbours in the sent unit, and one more, so that 183 mm are 7.205 in and convert back. A derived value has one
 * decimal more than on the page.
 */
export function exportedNumber(scale: FieldScale, sent: number): number {
  if (isDerived(scale.field)) return Number(scale.toShown(sent).toFixed(scale.decimals + 1));
  const value = shortestFloat32(sent);
  if (scale.digits === null) return value;
  const step = Math.abs(scale.toShown(1) - scale.toShown(0)) * 10 ** -written(value);
  const digits = Math.max(scale.digits, 1 + Math.ceil(-Math.log10(step)));
  return Number(scale.toShown(value).toFixed(Math.min(MOST_EXPORTED, digits)));
}

/** The most decimals of a converted value in a file. */
const MOST_EXPORTED = 12;

/** A value of a column, in its scale. */
export interface ColumnValue {
  readonly shown: number;
  readonly isOpened: boolean;
}

/** A value with more decimals is written in full, but other values are not padded to it. */
const MOST_PADDED = 6;

/**
 * Returns the decimals that all values of a column are padded to: those of the longest, and at least those of the
 * scale.
 */
export function columnDecimals(scale: FieldScale, values: readonly ColumnValue[]): number {
  const each = values.map(({ shown, isOpened }) => decimalsOf(scale, shown, isOpened));
  return Math.max(scale.decimals, ...each.filter((count) => count <= MOST_PADDED));
}

function decimalsOf(scale: FieldScale, shown: number, isOpened: boolean): number {
  if (!Number.isFinite(shown) || needsExponent(shown)) return 0;
  if (scale.digits === null && !isOpened) return written(shortestFloat32(shown));
  const most = digitsIn(scale, scale.digits ?? referenceDigits(scale), shown);
  return written(Number(shown.toFixed(most)));
}

/** Returns the decimals of a number as JavaScript writes it. */
function written(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, (digits.split('.')[1] ?? '').length - Number(exponent));
}
