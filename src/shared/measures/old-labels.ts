import { FIELD_NAMES, type FieldName } from '../protocol/fields.ts';
import type { FieldUnitChoice } from './field-scale.ts';
import { QUANTITIES, REFERENCE_UNITS, UNITS, type UnitId } from './units.ts';

/**
 * Labels of the first version, which only replaced the text after a number, by their letters alone: 21.6 °C became
 * "21.6 °F". Without spaces, in lower case, with the Greek letter mu for both of its code points.
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
  /** null for the unit that the field has without a choice. */
  readonly choice: FieldUnitChoice | null;
  /**
   * Whether the owner has to be asked: the label may have said what the device sends, or what the owner wished to see.
   * Until they say so it is taken for a wish, since the reference firmware sends the reference units.
   */
  readonly isDoubtful: boolean;
}

/** Takes a label of the first version for a choice of units, so that no number is shown under a unit it isn't in. */
export function readOldLabel(field: FieldName, label: string): ReadLabel {
  const written = label.normalize('NFC').replaceAll('µ', 'μ').replace(/\s+/g, '').toLowerCase();
  if (written === '') return { choice: null, isDoubtful: false };
  // Neither a share of the tank nor of anything else is what a sensor of distance measures.
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

/** The new form of all labels of a device, and those that the owner has to be asked about. */
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
