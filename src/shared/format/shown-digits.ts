import { REFERENCE_DIGITS } from '../measures/units.ts';
import type { FieldName } from '../protocol/fields.ts';

/** With fewer significant digits, small values of a device that measures in another unit would be hidden. */
const SIGNIFICANT = 3;
/** The most decimals that are shown. */
const MOST = 12;

/**
 * Returns the number of decimals of a decrypted value: that of its field, or three significant digits if that is more.
 */
export function shownDigits(field: FieldName, value: number): number {
  return digitsOf(REFERENCE_DIGITS[field], value);
}

/** Returns the number of decimals of a shown value: `usual`, or three significant digits if that is more. */
export function digitsOf(usual: number, value: number): number {
  const size = Math.abs(value);
  if (size === 0 || !Number.isFinite(size)) return usual;
  return Math.min(MOST, Math.max(usual, SIGNIFICANT - 1 - Math.floor(Math.log10(size))));
}
