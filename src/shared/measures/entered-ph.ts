import { FIELD_NAMES, type FieldName } from '../protocol/fields.ts';

/** The values of a reading, if present: a number, or anything in place of an encrypted value. */
type Values = Readonly<Partial<Record<FieldName, unknown>>>;

/**
 * Returns whether a reading only adds a pH that was entered by hand at its device. A field device has no pH sensor:
 * such a reading has a pH, which the last measured reading before it lacks. It repeats the other values, which may no
 * longer be true.
 */
export function isEnteredPh(values: Values, measuredBefore: Values): boolean {
  if (values.ph == null || measuredBefore.ph != null) return false;
  return FIELD_NAMES.every((name) => name === 'ph' || (values[name] ?? null) === (measuredBefore[name] ?? null));
}
