import type { Correction } from '../../../shared/measures/correction.ts';
import type { OwnerReading } from '../../../shared/owner-api/readings.ts';
import type { FieldValue } from '../../../shared/owner-api/values.ts';
import { FIELD_NAMES, type FieldName, perFieldName } from '../../../shared/protocol/fields.ts';
import { compareUint64Text } from '../../../shared/protocol/uint64.ts';
import { type Corrected, type OpenedFields, type ShownValue, shownField, shownNumber } from '../../format/values.ts';

/** The columns of the readings, in order. */
export const COLUMN_IDS = ['seq', 'time', 'receivedAt', 'delay', ...FIELD_NAMES, 'keyVersion', 'store'] as const;
export type ColumnId = (typeof COLUMN_IDS)[number];

export function isField(column: ColumnId): column is FieldName {
  return (FIELD_NAMES as readonly string[]).includes(column);
}

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
  column: ColumnId,
  clockNotSet: boolean,
  openedOf: OpenedOf = () => undefined,
  corrections: readonly Correction[] = [],
): number {
  return compareColumn(a, b, column, { clockNotSet, corrections }, openedOf) || compareUint64Text(a.seq, b.seq);
}

/** Returns the readings sorted by a column. Readings without a value come last in both directions. */
export function sortReadings(
  readings: readonly OwnerReading[],
  { id, desc }: { readonly id: ColumnId; readonly desc: boolean },
  clockNotSet: boolean,
  openedOf: OpenedOf,
  corrections: readonly Correction[] = [],
): readonly OwnerReading[] {
  const lacks = (reading: OwnerReading) =>
    Number(
      (isField(id) && shownField(reading, id).kind === 'absent') ||
        (id === 'delay' && delayOf(reading, clockNotSet) === null),
    );
  const sign = desc ? -1 : 1;
  return readings.toSorted(
    (a, b) => lacks(a) - lacks(b) || sign * compareReadings(a, b, id, clockNotSet, openedOf, corrections),
  );
}

function compareColumn(
  a: OwnerReading,
  b: OwnerReading,
  column: ColumnId,
  device: Corrected,
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
      const [first, second] = [a, b].map((reading) => shownField(reading, column, openedOf(reading.seq), device));
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
