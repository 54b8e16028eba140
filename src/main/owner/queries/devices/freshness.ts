import { isEnteredPh } from '../../../../shared/measures/entered-ph.ts';
import type { FieldName } from '../../../../shared/protocol/fields.ts';

/** The needed part of a reading. A value that is not a number is sealed. */
export interface Fields {
  readonly fields: Readonly<Record<FieldName, unknown>>;
}

/** The reading in which a field's value was last measured or entered. */
export interface Freshest<R> {
  readonly reading: R;
  /** Whether it was entered by hand at the device, so that nobody can expect it every minute. */
  readonly isEntered: boolean;
}

/**
 * Returns the reading in which a field's value last arrived; null if no reading has it. `newestFirst` has the readings,
 * newest first. Repeated values next to a pH that was entered by hand do not count.
 */
export function freshest<R extends Fields>(newestFirst: readonly R[], field: FieldName): Freshest<R> | null {
  const having = newestFirst.flatMap((reading, index) =>
    reading.fields[field] == null ? [] : [{ reading, isEntered: isEntry(newestFirst, index) }],
  );
  // If all of them are repetitions, the oldest is the closest to the measurement.
  return (field === 'ph' ? having[0] : (having.find(({ isEntered }) => !isEntered) ?? having.at(-1))) ?? null;
}

function isEntry(newestFirst: readonly Fields[], index: number): boolean {
  const before = newestFirst.slice(index + 1).find(({ fields }) => fields.ph == null);
  return before !== undefined && isEnteredPh(newestFirst[index]!.fields, before.fields);
}

/** Fewer readings with the same value than this don't tell whether it ever changes. */
const STEADY_READINGS = 10;

/**
 * Returns whether a field's plain value is the same in all readings that have it, so that it may have been so before.
 */
export function isSteady(newestFirst: readonly Fields[], field: FieldName): boolean {
  const values = newestFirst.map(({ fields }) => fields[field]).filter((value) => value != null);
  return values.length >= STEADY_READINGS && values.every((value) => typeof value === 'number' && value === values[0]);
}

/**
 * Returns the oldest reading since which a field's plain value has been the same; null if the newest value is sealed or
 * there is none. `newestFirst` has the readings, newest first. Readings without the field are ignored.
 */
export function unchangedSince<R extends Fields>(newestFirst: readonly R[], field: FieldName): R | null {
  const having = newestFirst.filter(({ fields }) => fields[field] != null);
  const value = having[0]?.fields[field];
  if (typeof value !== 'number') return null;
  const changed = having.findIndex(({ fields }) => fields[field] !== value);
  return having[(changed === -1 ? having.length : changed) - 1] ?? null;
}
