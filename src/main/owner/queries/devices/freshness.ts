import { isEnteredPh } from '../../../../shared/measures/entered-ph.ts';
import type { FieldName } from '../../../../shared/protocol/fields.ts';

/** The parts of a reading that the rules below need; a value that is no number is sealed. */
export interface Fields {
  readonly fields: Readonly<Record<FieldName, unknown>>;
}

/** In which reading a field's value was last measured or entered. */
export interface Freshest<R> {
  readonly reading: R;
  /** Entered by hand at the device, so that nobody can expect it every minute. */
  readonly isEntered: boolean;
}

/**
 * Returns the reading in which a field's value last arrived, of readings given newest first; null if none has it. Repetitions
 * beside a pH that was entered by hand do not count.
 */
export function freshest<R extends Fields>(newestFirst: readonly R[], field: FieldName): Freshest<R> | null {
  const having = newestFirst.flatMap((reading, index) =>
    reading.fields[field] == null ? [] : [{ reading, isEntered: isEntry(newestFirst, index) }],
  );
  // Where all of them are repetitions, the oldest is the closest to when it was measured.
  return (field === 'ph' ? having[0] : (having.find(({ isEntered }) => !isEntered) ?? having.at(-1))) ?? null;
}

function isEntry(newestFirst: readonly Fields[], index: number): boolean {
  const before = newestFirst.slice(index + 1).find(({ fields }) => fields.ph == null);
  return before !== undefined && isEnteredPh(newestFirst[index]!.fields, before.fields);
}

/** Fewer readings of one value than this say nothing of whether it ever changes. */
const STEADY_READINGS = 10;

/** Whether a field's plain value is the same in all of the readings that have it, so that it may have been so before. */
export function isSteady(newestFirst: readonly Fields[], field: FieldName): boolean {
  const values = newestFirst.map(({ fields }) => fields[field]).filter((value) => value != null);
  return values.length >= STEADY_READINGS && values.every((value) => typeof value === 'number' && value === values[0]);
}

/**
 * The oldest of the readings, given newest first, since which a field's plain value has been the same; null where the
 * newest value is sealed, or there is none. Readings without the field are passed over.
 */
export function unchangedSince<R extends Fields>(newestFirst: readonly R[], field: FieldName): R | null {
  const having = newestFirst.filter(({ fields }) => fields[field] != null);
  const value = having[0]?.fields[field];
  if (typeof value !== 'number') return null;
  const changed = having.findIndex(({ fields }) => fields[field] !== value);
  return having[(changed === -1 ? having.length : changed) - 1] ?? null;
}
