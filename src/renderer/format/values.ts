import type { OpenedItem, OpeningFault } from '../../shared/crypto/keyring/opening.ts';
import type { OwnerReading } from '../../shared/owner-api/readings.ts';
import type { FieldValue } from '../../shared/owner-api/values.ts';
import { FIELD_NAMES, type FieldName } from '../../shared/protocol/fields.ts';

/**
 * The display of a field: a number (sent in plain, or opened with the owner's key), a lock with the key version, the
 * reason why it did not open, or nothing.
 */
export type ShownValue =
  | { readonly kind: 'plain'; readonly value: number }
  | { readonly kind: 'opened'; readonly value: number; readonly keyVersion: number }
  | { readonly kind: 'failed'; readonly reason: OpeningFault; readonly keyVersion: number }
  | { readonly kind: 'sealed'; readonly keyVersion: number }
  | { readonly kind: 'absent' };

/** Where a number lies outside of what the owner's rules say is right, by the unit that the device sends. */
export interface OutOfRange {
  readonly side: 'low' | 'high';
  readonly severity: 'warning' | 'critical';
}

const ABSENT: ShownValue = { kind: 'absent' };

/**
 * Turns a stored field into what is shown; the only place that does. `keyVersion` is that of its reading; `opened`
 * the result of opening it, undefined while the keys are locked.
 */
export function shownValue(
  value: FieldValue | undefined,
  keyVersion: number,
  opened?: OpenedItem | undefined,
): ShownValue {
  if (value === null || value === undefined) return ABSENT;
  if (typeof value === 'number') return { kind: 'plain', value };
  if (opened === undefined) return { kind: 'sealed', keyVersion };
  return opened.ok
    ? { kind: 'opened', value: opened.value, keyVersion }
    : { kind: 'failed', reason: opened.reason, keyVersion };
}

/** The results of opening the sealed fields of a reading, for those that were tried. */
export type OpenedFields = Readonly<Partial<Record<FieldName, OpenedItem>>>;

/** The display of a field of a reading, whose opened fields are `opened`. */
export function shownField(
  reading: Pick<OwnerReading, 'keyVersion' | 'fields'>,
  field: FieldName,
  opened?: OpenedFields | undefined,
): ShownValue {
  return shownValue(reading.fields[field], reading.keyVersion, opened?.[field]);
}

/** The number that is shown, if one is. */
export function shownNumber(shown: ShownValue): number | null {
  return shown.kind === 'plain' || shown.kind === 'opened' ? shown.value : null;
}

/** The order in which fields are listed: those measured in the water first. */
export const SHOWN_FIELDS: readonly FieldName[] = FIELD_NAMES;
