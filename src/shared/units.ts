import { displayText } from './display-text.ts';
import { FIELD_NAMES, type FieldName } from './protocol/fields.ts';

/**
 * What the firmware sends, since the specification names no units: ec as dissolved solids in ppm, waterLevel as a
 * distance in mm. pH has none. Defaults of the display alone.
 */
export const DEFAULT_UNITS: Readonly<Record<FieldName, string>> = {
  ph: '',
  ec: 'ppm',
  waterLevel: 'mm',
  tempWater: '°C',
  tempAmbient: '°C',
  humidity: '%',
};

/** The unit of each field: the owner's label where there is one, cleaned like names, else the default. */
export function fieldUnits(device: {
  readonly notes: { readonly unitLabels: { readonly [field in FieldName]?: string | undefined } };
}): Readonly<Record<FieldName, string>> {
  const units = { ...DEFAULT_UNITS };
  for (const field of FIELD_NAMES) {
    const label = device.notes.unitLabels[field];
    if (label !== undefined) units[field] = displayText(label);
  }
  return units;
}
