import type { FieldScale } from '../../shared/measures/field-scale.ts';
import type { Format } from './format.ts';
import { digitsOf, shownDigits } from './shown-digits.ts';

/** A number with what stands after it. */
export function withUnit(number: string, symbol: string): string {
  return symbol === '' ? number : `${number} ${symbol}`;
}

/** A value in its scale, without the unit: all its digits where it is shown as it was sent. */
export function valueText(format: Format, { digits }: FieldScale, shown: number): string {
  return digits === null ? format.number(shown) : format.rounded(shown, digitsOf(digits, shown));
}

/** A value that was opened: a sealed float32 has more digits than its sensor. */
export function openedText(format: Format, scale: FieldScale, shown: number): string {
  return scale.digits === null
    ? format.rounded(shown, shownDigits(scale.field, shown))
    : valueText(format, scale, shown);
}

/** A mean of values that lie as far apart as `spread`, all of them in the scale. */
export function meanText(format: Format, { digits }: FieldScale, mean: number, spread: number): string {
  return format.rounded(mean, Math.max(digits ?? 0, spread < 10 ? 2 : 1));
}
