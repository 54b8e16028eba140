import type { Correction } from '../../../shared/measures/correction.ts';
import { ANY_FIELDS, type AnyField, type DerivedBy } from '../../../shared/measures/derived.ts';
import type { OwnerReading } from '../../../shared/owner-api/readings.ts';
import type { FieldValue } from '../../../shared/owner-api/values.ts';
import { FIELD_NAMES, type FieldName, perFieldName } from '../../../shared/protocol/fields.ts';
import { compareUint64Text } from '../../../shared/protocol/uint64.ts';
import { type Corrected, type OpenedFields, type ShownValue, shownAny, shownNumber } from '../../format/values.ts';

/** The columns of files of readings, in order. Derived fields come after all of them. */
export const COLUMN_IDS = ['seq', 'time', 'receivedAt', 'delay', ...FIELD_NAMES, 'keyVersion', 'store'] as const;
export type ColumnId = (typeof COLUMN_IDS)[number];

/** The columns of the table of readings, in order. */
export const GRID_COLUMNS = ['seq', 'time', 'receivedAt', 'delay', ...ANY_FIELDS, 'keyVersion', 'store'] as const;
export type GridColumn = (typeof GRID_COLUMNS)[number];

/** Returns whether a column has a measured field. */
export function isField(column: GridColumn): column is FieldName {
  return (FIELD_NAMES as readonly string[]).includes(column);
}

/** Returns whether a column has a field, measured or derived. */
export function isAnyField(column: GridColumn): column is AnyField {
  return (ANY_FIELDS as readonly string[]).includes(column);
}

/** The properties of a device that decide what its fields show. */
export interface ShownBy extends Corrected {
  readonly derivedBy: DerivedBy;
}

/** The inputs of a device without units or a leaf offset of its own. */
export const NOT_DERIVED: DerivedBy = { units: {}, leafOffset: null };

/** The latest time of a Date, in Unix milliseconds. A timestamp may be any 64-bit value. */
const LAST_MS = 8_640_000_000_000_000;

/** Returns a timestamp as Unix milliseconds; null if a Date can't represent it. */
export function timeOf(timestamp: string): number | null {
  const ms = Number(timestamp);
  return ms <= LAST_MS ? ms : null;
}

/**
 * Returns the time from measurement to arrival, in milliseconds; negative if the device's clock is ahead, null if the
 * clock is not set.
 */
export function delayOf(reading: OwnerReading, clockNotSet: boolean): number | null {
  const time = clockNotSet ? null : timeOf(reading.timestamp);
  return time === null ? null : reading.receivedAt - time;
}

/** Returns the opened fields of the reading with this seq. */
export type OpenedOf = (seq: string) => OpenedFields | undefined;

/**
 * Compares two readings by a column, ascending. If the clock is not set, the time column compares seq. Fields without a
 * number come after all numbers, by key version; absent fields come last. Ties are ordered by seq.
 */
export function compareReadings(
  a: OwnerReading,
  b: OwnerReading,
  column: GridColumn,
  clockNotSet: boolean,
  openedOf: OpenedOf = () => undefined,
  corrections: readonly Correction[] = [],
  derivedBy: DerivedBy = NOT_DERIVED,
): number {
  return (
    compareColumn(a, b, column, { clockNotSet, corrections, derivedBy }, openedOf) || compareUint64Text(a.seq, b.seq)
  );
}

/** Returns the readings sorted by a column. Readings without a value come last in both directions. */
export function sortReadings(
  readings: readonly OwnerReading[],
  { id, desc }: { readonly id: GridColumn; readonly desc: boolean },
  clockNotSet: boolean,
  openedOf: OpenedOf,
  corrections: readonly Correction[] = [],
  derivedBy: DerivedBy = NOT_DERIVED,
): readonly OwnerReading[] {
  const device = { clockNotSet, corrections };
  const lacks = (reading: OwnerReading) =>
    Number(
      (isAnyField(id) && shownAny(reading, id, openedOf(reading.seq), device, derivedBy).kind === 'absent') ||
        (id === 'delay' && delayOf(reading, clockNotSet) === null),
    );
  const sign = desc ? -1 : 1;
  return readings.toSorted(
    (a, b) => lacks(a) - lacks(b) || sign * compareReadings(a, b, id, clockNotSet, openedOf, corrections, derivedBy),
  );
}

function compareColumn(
  a: OwnerReading,
  b: OwnerReading,
  column: GridColumn,
  device: ShownBy,
  openedOf: OpenedOf,
): number {
  const { clockNotSet } = device;
  switch (column) {
    case 'seq':
      return 0;
    case 'time':
      return clockNotSet ? 0 : compareUint64Text(a.timestamp, b.timestamp);
    case 'delay':
      return (delayOf(a, clockNotSet) ?? 0) - (delayOf(b, clockNotSet) ?? 0);
    case 'receivedAt':
    case 'keyVersion':
      return a[column] - b[column];
    case 'store':
      return a.store < b.store ? -1 : a.store > b.store ? 1 : 0;
    default: {
      const [first, second] = [a, b].map((reading) =>
        shownAny(reading, column, openedOf(reading.seq), device, device.derivedBy),
      );
      return fieldRank(first!) - fieldRank(second!) || fieldNumber(first!) - fieldNumber(second!);
    }
  }
}

const RANKS: Readonly<Record<ShownValue['kind'], number>> = { plain: 0, opened: 0, failed: 1, sealed: 2, absent: 3 };

function fieldRank(shown: ShownValue): number {
  return RANKS[shown.kind];
}

function fieldNumber(shown: ShownValue): number {
  return shownNumber(shown) ?? ('keyVersion' in shown ? shown.keyVersion : 0);
}

/** Returns whether a sealed value lacks its bytes, as it does for a viewer. */
export function isWithheld(value: FieldValue): boolean {
  return typeof value === 'object' && value !== null && value.cipher === '';
}

/**
 * Returns a reading as indented JSON with the protocol's names. `withheld` replaces sealed values that lack their
 * bytes.
 */
export function rawJson(reading: OwnerReading, withheld: string): string {
  const fields = perFieldName((field) => (isWithheld(reading.fields[field]) ? withheld : reading.fields[field]));
  return JSON.stringify({ ...reading, fields }, null, 2);
}
