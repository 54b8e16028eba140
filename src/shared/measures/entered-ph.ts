import { FIELD_NAMES, type FieldName } from '../protocol/fields.ts';

/** The values of a reading as far as it has them: a number, or anything that stands for a sealed one. */
type Values = Readonly<Partial<Record<FieldName, unknown>>>;

/**
 * Whether a reading repeats a pH that was entered by hand at its device. A field device has no pH sensor: such a reading has
 * a pH, which the last measured reading before it lacks, and otherwise the same values, which say nothing of how they are now.
 */
export function isEnteredPh(values: Values, measuredBefore: Values): boolean {
  if (values.ph == null || measuredBefore.ph != null) return false;
  return FIELD_NAMES.every((name) => name === 'ph' || (values[name] ?? null) === (measuredBefore[name] ?? null));
}
