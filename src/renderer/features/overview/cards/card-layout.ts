import type { FieldName } from '../../../../shared/protocol/fields.ts';

/** The minimum width of a card at the usual size of text, and the gap between cards, in px. */
const LEAST_WIDTH = 340;
export const GAP = 16;
/** The maximum number of devices for which every value is large. */
const ROOMY = 3;
/** The number of large values on a card, if there are more devices. */
const LARGE = 3;

/** The layout of cards: the number of columns, and whether each card shows all its values large. */
export interface CardLayout {
  readonly columns: number;
  readonly isRoomy: boolean;
}

/**
 * Lays out cards in a width in px. Fewer cards than fit share the full width. `textScale` is the size of text, 1 if it
 * is as usual.
 */
export function cardLayout(count: number, width: number, textScale = 1): CardLayout {
  const fitting = Math.max(1, Math.floor((width + GAP) / (LEAST_WIDTH * textScale + GAP)));
  return { columns: Math.max(1, Math.min(fitting, count)), isRoomy: count <= ROOMY };
}

/** Splits the values of a device into large and small ones, in the owner's order. */
export function valuesOf(
  fields: readonly FieldName[],
  isRoomy: boolean,
  hasTank: boolean,
): { readonly large: readonly FieldName[]; readonly small: readonly FieldName[] } {
  if (isRoomy) return { large: fields, small: [] };
  const count = hasTank ? LARGE - 1 : LARGE;
  return { large: fields.slice(0, count), small: fields.slice(count) };
}
