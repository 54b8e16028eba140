/**
 * The sensor fields: the protocol's name (telemetry) and the policy name (registration, SQL), in the protocol's order,
 * which is also the order of display. Schemas and columns are derived from this table. "Add a sensor field" in
 * CONTRIBUTING.md lists what is not.
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

/** The protocol's names. A field's index in this list is its index in every list of fields. */
export const FIELD_NAMES: readonly FieldName[] = SENSOR_FIELDS.map((field) => field.name);

/** The policy names in the same order. */
export const POLICY_FIELD_NAMES: readonly PolicyFieldName[] = SENSOR_FIELDS.map((field) => field.policyName);

/** Returns an object with one value for each field. */
export function perFieldName<T>(make: (name: FieldName) => T): Record<FieldName, T> {
  return Object.fromEntries(FIELD_NAMES.map((name) => [name, make(name)])) as Record<FieldName, T>;
}
