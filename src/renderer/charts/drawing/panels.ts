import { quantityOf } from '../../../shared/measures/derived.ts';
import type { FieldScale } from '../../../shared/measures/field-scale.ts';
import type { Band } from './allowed-bands.ts';

/** Lines that may share an axis of values: of one quantity and one unit, as they are shown. */
export function panelKey({ field, unit, symbol }: FieldScale): string {
  return `${quantityOf(field)} ${unit ?? `label ${symbol}`}`;
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

/** The bands of a panel: one that is right for some of its lines only has the colour of each. */
export function bandsOf<Line extends { readonly allowed: { readonly bands: readonly Band[] } }>(
  lines: readonly Line[],
  colourOf: (line: Line) => string,
): Band[] {
  const isShared = (band: Band) => lines.every(({ allowed }) => allowed.bands.some((each) => isSame(each, band)));
  const shared = (lines[0]?.allowed.bands ?? []).filter(isShared);
  const own = lines.flatMap((line) =>
    line.allowed.bands.filter((band) => !isShared(band)).map((band) => ({ ...band, colour: colourOf(line) })),
  );
  return [...shared, ...own];
}

function isSame(a: Band, b: Band): boolean {
  return a.low === b.low && a.high === b.high && a.from === b.from && a.to === b.to;
}
