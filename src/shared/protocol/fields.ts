/**
 * The sensor fields: the wire name (telemetry) and the policy name (registration, SQL), in the protocol's order, which is
 * also the order in which they are shown. Schemas and columns derive from this table; see "Add a sensor field" in
 * CONTRIBUTING.md for what doesn't.
 */
export const SENSOR_FIELDS = [
  { name: 'ph', policyName: 'ph' },
  { name: 'ec', policyName: 'ec' },
  { name: 'waterLevel', policyName: 'water_level' },
  { name: 'tempWater', policyName: 'temp_water' },
  { name: 'tempAmbient', policyName: 'temp_ambient' },
  { name: 'humidity', policyName: 'humidity' },
] as const;

/** A sensor field's name in telemetry. */
export type FieldName = (typeof SENSOR_FIELDS)[number]['name'];

/** A sensor field's name in a privacy policy and in SQL. */
export type PolicyFieldName = (typeof SENSOR_FIELDS)[number]['policyName'];

/** The wire names alone; a field's index in this list is its index wherever fields are kept as a list. */
export const FIELD_NAMES: readonly FieldName[] = SENSOR_FIELDS.map((field) => field.name);

/** The policy names alone, in the same order. */
export const POLICY_FIELD_NAMES: readonly PolicyFieldName[] = SENSOR_FIELDS.map((field) => field.policyName);

/** An object with one value for each field. */
export function perFieldName<T>(make: (name: FieldName) => T): Record<FieldName, T> {
  return Object.fromEntries(FIELD_NAMES.map((name) => [name, make(name)])) as Record<FieldName, T>;
}
