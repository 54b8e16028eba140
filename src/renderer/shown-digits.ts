import type { FieldName } from '../shared/protocol/fields.ts';

/** The decimals that the firmware signs each field with, and so what its sensors tell. */
const DECIMALS: Readonly<Record<FieldName, number>> = {
  ph: 2,
  ec: 0,
  waterLevel: 0,
  tempWater: 2,
  tempAmbient: 2,
  humidity: 2,
};

/** Fewer would hide a small value of a device that measures in another unit. */
const SIGNIFICANT = 3;
/** The most that `Intl` is asked for; what is smaller still is as good as nothing. */
const MOST = 12;

/** How many decimals an opened value is shown with: those of its field, or three significant digits if that is more. */
export function shownDigits(field: FieldName, value: number): number {
  const size = Math.abs(value);
  if (size === 0 || !Number.isFinite(size)) return DECIMALS[field];
  return Math.min(MOST, Math.max(DECIMALS[field], SIGNIFICANT - 1 - Math.floor(Math.log10(size))));
}
