import type { TFunction } from 'i18next';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { Format } from '../../shared/format/format.ts';
import { beyondTank, withMark, withUnit } from '../../shared/format/scaled.ts';
import type { FieldScale } from '../../shared/measures/field-scale.ts';
import { useFormat } from './format.ts';

/** Returns which mark of the tank a shown level is beyond, in words; null if none, or if the field is not a level. */
export function markOf(t: TFunction<'app'>, scale: FieldScale, shown: number): string | null {
  const beyond = beyondTank(scale, shown);
  return beyond === null ? null : t(`value.${beyond}`);
}

/** Returns `markOf` with the texts of the chosen language. */
export function useMark(): (scale: FieldScale, shown: number) => string | null {
  const { t } = useTranslation('app');
  return useCallback((scale, shown) => markOf(t, scale, shown), [t]);
}

/** A function that formats a number in its scale, such as `valueText`. */
type NumberText = (format: Format, scale: FieldScale, shown: number) => string;

export type ShownText = (text: NumberText, scale: FieldScale, shown: number, symbol?: string) => string;

/**
 * Returns a function that formats a shown number with its unit. A level beyond a mark of its tank gets words for that.
 */
export function useShownText(): ShownText {
  const format = useFormat();
  const mark = useMark();
  return useCallback(
    (text, scale, shown, symbol = scale.symbol) =>
      withMark(withUnit(text(format, scale, shown), symbol), mark(scale, shown)),
    [format, mark],
  );
}
