import type { FieldScale } from '../../../../shared/measures/field-scale.ts';
import { QUANTITIES } from '../../../../shared/measures/units.ts';

/** Lines that may share an axis of values: of one quantity and one unit, as they are shown. */
export function panelKey({ field, unit, symbol }: FieldScale): string {
  return `${QUANTITIES[field]} ${unit ?? `label ${symbol}`}`;
}

/** Groups lines by what they may share an axis with, in the order in which the first of each comes. */
export function panelsOf<Line extends { readonly scale: FieldScale }>(lines: readonly Line[]): Line[][] {
  const panels = new Map<string, Line[]>();
  for (const line of lines) {
    const key = panelKey(line.scale);
    panels.set(key, [...(panels.get(key) ?? []), line]);
  }
  return [...panels.values()];
}
