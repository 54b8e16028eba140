import type { FieldName } from '../../../../shared/protocol/fields.ts';

/** The least width of a card, and what is between two, in px. */
const LEAST_WIDTH = 340;
export const GAP = 16;
/** So few devices have room for every value in large. */
const ROOMY = 3;
/** How many values are large on a card. */
const LARGE = 3;

/** How cards lie in their width: how many beside each other, and whether each shows all its values in large. */
export interface CardLayout {
  readonly columns: number;
  readonly isRoomy: boolean;
}

/** Lays out so many cards in a width in px; few of them share all of it. */
export function cardLayout(count: number, width: number): CardLayout {
  const fitting = Math.max(1, Math.floor((width + GAP) / (LEAST_WIDTH + GAP)));
  return { columns: Math.max(1, Math.min(fitting, count)), isRoomy: count <= ROOMY };
}

/** The values that are large and those that are small, of those that a device has, in the owner's order. */
export function valuesOf(
  fields: readonly FieldName[],
  isRoomy: boolean,
  hasTank: boolean,
): { readonly large: readonly FieldName[]; readonly small: readonly FieldName[] } {
  if (isRoomy) return { large: fields, small: [] };
  const count = hasTank ? LARGE - 1 : LARGE;
  return { large: fields.slice(0, count), small: fields.slice(count) };
}
