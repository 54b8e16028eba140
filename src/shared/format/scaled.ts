import { shortestFloat32 } from '../float32.ts';
import { isDerived } from '../measures/derived.ts';
import { type FieldScale, PERCENT_FULL } from '../measures/field-scale.ts';
import { REFERENCE_DIGITS } from '../measures/units.ts';
import { type Format, needsExponent } from './format.ts';
import { digitsOf } from './shown-digits.ts';

/** A number with what stands after it. */
export function withUnit(number: string, symbol: string): string {
  return symbol === '' ? number : `${number} ${symbol}`;
}

/** Where a level lies beyond the owner's distances; null: between them, or it is no level. */
export type BeyondTank = 'belowEmpty' | 'aboveFull' | null;

/** Which mark of the tank a shown level is beyond: words say so beside the 0 or 100 that `valueText` writes. */
export function beyondTank(scale: FieldScale, shown: number): BeyondTank {
  if (scale.unit !== PERCENT_FULL) return null;
  return shown < 0 ? 'belowEmpty' : shown > 100 ? 'aboveFull' : null;
}

/** A level's number with the words of the mark that it is beyond; null: beyond none. */
export function withMark(number: string, mark: string | null): string {
  return mark === null ? number : `${number} (${mark})`;
}

/** A tank is never less than empty or more than full. */
function inTank(scale: FieldScale, shown: number): number {
  return scale.unit === PERCENT_FULL ? Math.min(100, Math.max(0, shown)) : shown;
}

/** How many decimals a value is shown with. A derived one always has the same: it has no sensor with a resolution. */
function digitsIn(scale: FieldScale, usual: number, value: number): number {
  return isDerived(scale.field) ? usual : digitsOf(usual, value);
}

/** The decimals of a field where values are shown as they were sent. */
function referenceDigits({ field, decimals }: FieldScale): number {
  return isDerived(field) ? decimals : REFERENCE_DIGITS[field];
}

/**
 * A value in its scale, without the unit: all its digits where it is shown as it was sent. `least` decimals at least, so
 * that 21 stands below 21.53 as 21.00.
 */
export function valueText(format: Format, scale: FieldScale, value: number, least = scale.decimals): string {
  const shown = inTank(scale, value);
  return scale.digits === null
    ? format.number(shown, least)
    : format.rounded(shown, Math.max(least, digitsIn(scale, scale.digits, shown)), least);
}

/** A value that was opened: a sealed float32 has more digits than its sensor. */
export function openedText(format: Format, scale: FieldScale, shown: number, least = scale.decimals): string {
  return scale.digits === null
    ? format.rounded(shown, Math.max(least, digitsIn(scale, referenceDigits(scale), shown)), least)
    : valueText(format, scale, shown, least);
}

/** A value where a glance has to do: with the decimals of its field, and behind a free label with those that it has. */
export function glanceText(format: Format, scale: FieldScale, value: number): string {
  const shown = inTank(scale, value);
  if (scale.unit === null) return valueText(format, scale, value);
  const digits = scale.unit === PERCENT_FULL ? 0 : digitsIn(scale, Math.min(2, scale.decimals), shown);
  return format.rounded(shown, digits, Math.min(digits, scale.decimals));
}

/**
 * A mean of values, in their scale: with the decimals of the field, and one where it has none, however far they lie apart, so
 * that means beside each other look alike. Behind a free label nobody knows how small values are.
 */
export function meanText(format: Format, scale: FieldScale, found: number): string {
  const { decimals, unit } = scale;
  const mean = inTank(scale, found);
  const least = Math.max(1, decimals);
  const digits = unit === null ? digitsOf(least, mean) : least;
  return format.rounded(mean, digits, digits);
}

/** A mean beside the least and greatest of its step, in decimals like theirs: under a cursor that moves, none come and go. */
export function stepMeanText(format: Format, scale: FieldScale, found: number): string {
  if (scale.unit === null) return meanText(format, scale, found);
  const mean = inTank(scale, found);
  return format.rounded(mean, digitsIn(scale, scale.decimals, mean), scale.decimals);
}

/**
 * A value as it was sent, in its scale, for a file: one that is converted has the decimals that tell it from its neighbours
 * in the unit that was sent, and one more, so that 183 mm are 7.205 in and convert back. A derived value has one decimal more than
 * the page shows.
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

/** A value with more decimals is written whole, but pads no other. */
const MOST_PADDED = 6;

/** The decimals that all values of a column are padded to: those of the longest, and of the scale at least. */
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

/** The decimals of a number as it is written out. */
function written(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, (digits.split('.')[1] ?? '').length - Number(exponent));
}
