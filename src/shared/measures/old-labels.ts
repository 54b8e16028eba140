import { FIELD_NAMES, type FieldName } from '../protocol/fields.ts';
import type { FieldUnitChoice } from './field-scale.ts';
import { QUANTITIES, REFERENCE_UNITS, UNITS, type UnitId } from './units.ts';

/**
 * Labels of the first version, by their letters alone. That version only replaced the text after a number: 21.6 °C
 * became "21.6 °F". Without spaces, in lower case, with the Greek letter mu for both of its code points.
 */
const WRITTEN: ReadonlyMap<string, UnitId> = new Map(
  Object.entries({
    ppm500: ['ppm(500)', 'ppm500', 'ppm₅₀₀', 'tds', 'ppm'],
    ppm700: ['ppm(700)', 'ppm700', 'ppm₇₀₀'],
    microsiemens: ['μs/cm', 'us/cm', 'μs', 'us'],
    millisiemens: ['ms/cm', 'ms', 'ds/m'],
    millimetre: ['mm'],
    centimetre: ['cm'],
    inch: ['in', 'inch', 'inches', '"', 'pol'],
    celsius: ['°c', 'ºc', 'c'],
    fahrenheit: ['°f', 'ºf', 'f'],
    percentHumidity: ['%', '%rh'],
    ph: ['ph'],
  } satisfies { [unit in UnitId]?: string[] }).flatMap(([unit, texts]) => texts.map((text) => [text, unit as UnitId])),
);

/** The new form of a label of the first version. */
export interface ReadLabel {
  /** null for the field's unit without a choice. */
  readonly choice: FieldUnitChoice | null;
  /**
   * Whether the page must ask the owner: the label may be the unit that the device sends, or the unit that the owner
   * wished to see. Until they answer, it counts as a wish, because the reference firmware sends the reference units.
   */
  readonly isDoubtful: boolean;
}

/** Converts a label of the first version to a choice of units, so that no number is shown under a wrong unit. */
export function readOldLabel(field: FieldName, label: string): ReadLabel {
  const written = label.normalize('NFC').replaceAll('µ', 'μ').replace(/\s+/g, '').toLowerCase();
  if (written === '') return { choice: null, isDoubtful: false };
  // A distance sensor does not measure a percentage of the tank or of anything else.
  if (field === 'waterLevel' && /^%/.test(written)) return { choice: null, isDoubtful: true };
  const unit = WRITTEN.get(written);
  if (unit === undefined || UNITS[unit].quantity !== QUANTITIES[field]) {
    return { choice: { label: label.trim() }, isDoubtful: false };
  }
  if (unit === REFERENCE_UNITS[field]) return { choice: null, isDoubtful: false };
  return { choice: { shown: unit }, isDoubtful: true };
}

/** Labels by field. */
export type OldLabels = Partial<Record<FieldName, string>>;

/** Returns the new form of all labels of a device, and the labels that the page must ask the owner about. */
export function readOldLabels(labels: OldLabels): {
  readonly units: Partial<Record<FieldName, FieldUnitChoice>>;
  readonly doubtful: OldLabels;
} {
  const units: Partial<Record<FieldName, FieldUnitChoice>> = {};
  const doubtful: OldLabels = {};
  for (const field of FIELD_NAMES) {
    const label = labels[field];
    if (label === undefined) continue;
    const { choice, isDoubtful } = readOldLabel(field, label);
    if (choice !== null) units[field] = choice;
    if (isDoubtful) doubtful[field] = label;
  }
  return { units, doubtful };
}
