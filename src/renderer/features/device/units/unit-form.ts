import { type FieldUnitChoice, PERCENT_FULL, type ShownUnit } from '../../../../shared/measures/field-scale.ts';
import { convert, REFERENCE_UNITS, type UnitId } from '../../../../shared/measures/units.ts';
import { FIELD_NAMES, type FieldName } from '../../../../shared/protocol/fields.ts';

/** A unit in the owner's own words. */
export const OWN_LABEL = 'label';
/** The owner's choice for all devices. */
export const GENERAL = 'general';

/** The units of one field as in the form. Distances are text in `distanceUnit`. */
export interface UnitForm {
  readonly sent: UnitId | typeof OWN_LABEL;
  readonly label: string;
  readonly shown: ShownUnit | typeof GENERAL;
  readonly empty: string;
  readonly full: string;
}

/** The invalid input of a form. */
export type UnitRefusal = 'label' | 'tank';

/** Returns the form for one field's units. Distances are in `distanceUnit`. */
export function unitFormOf(field: FieldName, choice: FieldUnitChoice | undefined, distanceUnit: UnitId): UnitForm {
  const none = { label: '', empty: '', full: '' };
  if (choice !== undefined && 'label' in choice) {
    return { ...none, sent: OWN_LABEL, label: choice.label, shown: GENERAL };
  }
  const text = (millimetres: number | undefined) =>
    millimetres === undefined ? '' : String(convert(millimetres, 'millimetre', distanceUnit));
  const { tank } = choice ?? {};
  return {
    ...none,
    sent: choice?.sent ?? REFERENCE_UNITS[field],
    // With two distances, a level is shown in per cent unless the owner chose another unit.
    shown: choice?.shown ?? (tank === undefined ? GENERAL : PERCENT_FULL),
    empty: text(tank?.empty),
    full: text(tank?.full),
  };
}

/** Returns the choice in a form, undefined if it equals the defaults; or the invalid input. */
export function unitChoiceOf(
  field: FieldName,
  { sent, label, shown, empty, full }: UnitForm,
  distanceUnit: UnitId,
): { readonly choice: FieldUnitChoice | undefined } | { readonly refused: UnitRefusal } {
  if (sent === OWN_LABEL) return label.trim() === '' ? { refused: 'label' } : { choice: { label: label.trim() } };
  const tank = field === 'waterLevel' ? tankOf(empty, full, distanceUnit) : undefined;
  if (tank === null || (shown === PERCENT_FULL && tank === undefined)) return { refused: 'tank' };
  const choice = {
    ...(sent === REFERENCE_UNITS[field] ? {} : { sent }),
    // Two distances already imply per cent.
    ...(shown === GENERAL || shown === PERCENT_FULL ? {} : { shown }),
    ...(tank === undefined ? {} : { tank }),
  };
  return { choice: Object.keys(choice).length === 0 ? undefined : choice };
}

/** The units of all fields as in the form. */
export type UnitsForm = Readonly<Record<FieldName, UnitForm>>;
export type UnitChoices = Readonly<Partial<Record<FieldName, FieldUnitChoice>>>;
export type UnitRefusals = Readonly<Partial<Record<FieldName, UnitRefusal>>>;

/** Returns the form for a device's units. Distances are in `distanceUnit`. */
export function unitsFormOf(units: UnitChoices, distanceUnit: UnitId): UnitsForm {
  return Object.fromEntries(
    FIELD_NAMES.map((field) => [field, unitFormOf(field, units[field], distanceUnit)]),
  ) as unknown as UnitsForm;
}

/** Returns the choices in a form, or the invalid inputs. */
export function unitChoicesOf(
  form: UnitsForm,
  distanceUnit: UnitId,
): { units: UnitChoices } | { refused: UnitRefusals } {
  const units: Partial<Record<FieldName, FieldUnitChoice>> = {};
  const refused: Partial<Record<FieldName, UnitRefusal>> = {};
  for (const field of FIELD_NAMES) {
    const checked = unitChoiceOf(field, form[field], distanceUnit);
    if ('refused' in checked) refused[field] = checked.refused;
    else if (checked.choice !== undefined) units[field] = checked.choice;
  }
  return Object.keys(refused).length > 0 ? { refused } : { units };
}

/**
 * Returns the two distances in millimetres; undefined if both are empty, null if they are invalid. The sensor is above
 * the water, so the surface of an empty tank is further away.
 */
function tankOf(empty: string, full: string, distanceUnit: UnitId) {
  if (empty.trim() === '' && full.trim() === '') return undefined;
  const [a, b] = [empty, full].map((text) => {
    const value = text.trim() === '' ? Number.NaN : Number(text.replace(',', '.'));
    return convert(value, distanceUnit, 'millimetre');
  });
  return a! >= 0 && b! >= 0 && a! <= 100_000 && b! <= 100_000 && a! > b! ? { empty: a!, full: b! } : null;
}
