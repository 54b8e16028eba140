import { quantityOf } from '../../../shared/measures/derived.ts';
import type { FieldScale } from '../../../shared/measures/field-scale.ts';
import type { Band } from './allowed-bands.ts';

/**
 * Returns a key that is equal for lines that may share a value axis: those with the same quantity and displayed unit.
 */
export function panelKey({ field, unit, symbol }: FieldScale): string {
  return `${quantityOf(field)} ${unit ?? `label ${symbol}`}`;
}

/** Groups lines that may share a value axis. The groups are in the order of their first lines. */
export function panelsOf<Line extends { readonly scale: FieldScale }>(lines: readonly Line[]): Line[][] {
  const panels = new Map<string, Line[]>();
  for (const line of lines) {
    const key = panelKey(line.scale);
    panels.set(key, [...(panels.get(key) ?? []), line]);
  }
  return [...panels.values()];
}

/** Returns the bands of a panel. A band that does not apply to all of its lines has the colour of its line. */
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
