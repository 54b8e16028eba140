import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { Format } from '../../shared/format/format.ts';
import { beyondTank, withMark, withUnit } from '../../shared/format/scaled.ts';
import type { FieldScale } from '../../shared/measures/field-scale.ts';
import { useFormat } from './format.ts';

/** Which mark of the tank a shown level is beyond, in words; null: none, or it is no level. */
export function useMark(): (scale: FieldScale, shown: number) => string | null {
  const { t } = useTranslation('app');
  return useCallback(
    (scale, shown) => {
      const beyond = beyondTank(scale, shown);
      return beyond === null ? null : t(`value.${beyond}`);
    },
    [t],
  );
}

/** How a number is written in its scale: `valueText` and its like. */
type NumberText = (format: Format, scale: FieldScale, shown: number) => string;

export type ShownText = (text: NumberText, scale: FieldScale, shown: number, symbol?: string) => string;

/** Writes a number that is shown with its unit, and with words where a level is beyond a mark of its tank. */
export function useShownText(): ShownText {
  const format = useFormat();
  const mark = useMark();
  return useCallback(
    (text, scale, shown, symbol = scale.symbol) =>
      withMark(withUnit(text(format, scale, shown), symbol), mark(scale, shown)),
    [format, mark],
  );
}
