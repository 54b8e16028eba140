import { shortestFloat32 } from '../float32.ts';
import { FIELD_NAMES, type FieldName } from '../protocol/fields.ts';
import { dewPoint, vapourPressureDeficit } from './air.ts';
import { convert, type Quantity, REFERENCE_UNITS, UNITS, type UnitId } from './units.ts';

interface DerivedRow {
  /** The name in rules, addresses of pages and names of columns, like the protocol's names of measured fields. */
  readonly name: string;
  /** The name in Home Assistant; `metricName` is the name in Prometheus, whose names are whole words. */
  readonly policyName: string;
  readonly metricName: string;
  /** The unit of its values. They are converted only for display. */
  readonly unit: UnitId;
  readonly decimals: number;
  /** The measured fields that it is computed from, in the order of `derive`'s values. */
  readonly of: readonly FieldName[];
  /** The measured field whose unit it is shown in. */
  readonly like?: FieldName;
  /** Whether it depends on the owner's leaf offset. Without one it has no value. */
  readonly isOfLeaf?: true;
  /**
   * Computes it from values in the reference units; `leafOffset` is in °C. null for values that a sensor can't measure.
   */
  derive(values: readonly number[], leafOffset: number): number | null;
}

const AIR = ['tempAmbient', 'humidity'] as const;

/**
 * The fields that are computed from measured ones, in the order of display, after the measured ones. They are never
 * stored. air.ts has the formulas and sources.
 */
export const DERIVED_FIELDS = [
  {
    name: 'vpd',
    policyName: 'vpd',
    metricName: 'vapour_pressure_deficit',
    unit: 'kilopascal',
    decimals: 2,
    of: AIR,
    derive: ([celsius, humidity]) => vapourPressureDeficit(celsius!, humidity!),
  },
  {
    name: 'vpdLeaf',
    policyName: 'vpd_leaf',
    metricName: 'leaf_vapour_pressure_deficit',
    unit: 'kilopascal',
    decimals: 2,
    of: AIR,
    isOfLeaf: true,
    derive: ([celsius, humidity], leafOffset) => vapourPressureDeficit(celsius!, humidity!, leafOffset),
  },
  {
    name: 'dewPoint',
    policyName: 'dew_point',
    metricName: 'dew_point',
    unit: 'celsius',
    decimals: 1,
    of: AIR,
    like: 'tempAmbient',
    derive: ([celsius, humidity]) => dewPoint(celsius!, humidity!),
  },
] as const satisfies readonly DerivedRow[];

/** A derived field. */
export type DerivedName = (typeof DERIVED_FIELDS)[number]['name'];
/** A field that is measured or derived. */
export type AnyField = FieldName | DerivedName;

export const DERIVED_NAMES: readonly DerivedName[] = DERIVED_FIELDS.map(({ name }) => name);
/** In the order of display. */
export const ANY_FIELDS: readonly AnyField[] = [...FIELD_NAMES, ...DERIVED_NAMES];

const ROWS: ReadonlyMap<string, DerivedRow> = new Map(DERIVED_FIELDS.map((row) => [row.name, row]));

/** Returns the row of a derived field; null if the field is measured. */
export function derivedRow(field: AnyField): DerivedRow | null {
  return ROWS.get(field) ?? null;
}

export function isDerived(field: AnyField): field is DerivedName {
  return ROWS.has(field);
}

/** Returns the unit of limits in rules for several devices; for a derived field, its own unit. */
export function referenceUnitOf(field: AnyField): UnitId {
  return derivedRow(field)?.unit ?? REFERENCE_UNITS[field as FieldName];
}

export function quantityOf(field: AnyField): Quantity {
  return UNITS[referenceUnitOf(field)].quantity;
}

/** Returns the measured fields that a field is read from: itself, or those that it is computed from. */
export function sourcesOf(field: AnyField): readonly FieldName[] {
  return derivedRow(field)?.of ?? [field as FieldName];
}

/** Returns an object with one value for each field, measured or derived. */
export function perAnyField<T>(make: (name: AnyField) => T): Record<AnyField, T> {
  return Object.fromEntries(ANY_FIELDS.map((name) => [name, make(name)])) as Record<AnyField, T>;
}

/**
 * The unit that a device sends a field in: `sent`, or the reference unit if that is missing; or a label that can't be
 * converted.
 */
type SentIn = { readonly label: string } | { readonly sent?: UnitId | undefined };

/** The inputs of a device's derived values in addition to its readings. */
export interface DerivedBy {
  /** The owner's units for the device, from its notes. */
  readonly units: { readonly [field in FieldName]?: SentIn | undefined };
  /** How many °C leaves are warmer than the air, usually less than 0; null if the owner did not enter it. */
  readonly leafOffset: number | null;
}

/**
 * Returns a derived value in its own unit, from the values of one reading in the units that the device sends; null if a
 * value is missing, in a unit that can't be converted, or not plausible.
 */
export function derivedValue(
  name: DerivedName,
  sentValue: (field: FieldName) => number | null | undefined,
  by: DerivedBy,
): number | null {
  const row = ROWS.get(name)!;
  if (!mayBeDerived(name, by)) return null;
  const values: number[] = [];
  for (const field of row.of) {
    const value = sentValue(field);
    if (value === null || value === undefined) return null;
    const choice = by.units[field];
    const sent = (choice !== undefined && 'sent' in choice ? choice.sent : undefined) ?? REFERENCE_UNITS[field];
    values.push(convert(shortestFloat32(value), sent, REFERENCE_UNITS[field]));
  }
  const derived = row.derive(values, by.leafOffset ?? 0);
  return derived === null || !Number.isFinite(derived) ? null : derived;
}

/**
 * The largest part of a step's values for which the other field may be missing. With more, the two means are of
 * different readings.
 */
const MOST_APART = 0.1;

/** A step of a field: the number of its readings with a number, and their mean. */
export interface StepOf {
  readonly count: number;
  readonly mean: number | null | undefined;
}

/**
 * Returns the value of a derived field in a step, from the means of its source fields; null if not nearly all of its
 * readings have all of them.
 */
export function derivedOfStep(name: DerivedName, of: (source: FieldName) => StepOf, by: DerivedBy): number | null {
  const counts = sourcesOf(name).map((source) => of(source).count);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  if (least === 0 || most - least > most * MOST_APART) return null;
  return derivedValue(name, (source) => of(source).mean, by);
}

/** Returns whether a device's units and the owner's leaf offset are sufficient to derive a field. */
export function mayBeDerived(name: DerivedName, { units, leafOffset }: DerivedBy): boolean {
  const { of, isOfLeaf } = ROWS.get(name)!;
  if (isOfLeaf === true && leafOffset === null) return false;
  return of.every((field) => {
    const choice = units[field];
    return choice === undefined || !('label' in choice);
  });
}

/** Returns the owner's choice of units for a field. A derived field is shown like the measured field in `like`. */
export function unitChoiceOf<Choice extends SentIn>(
  units: { readonly [field in FieldName]?: Choice | undefined },
  field: AnyField,
): Choice | undefined {
  const row = derivedRow(field);
  if (row === null) return units[field as FieldName];
  return row.like === undefined ? undefined : units[row.like];
}
