import type { OpenedItem, OpeningFault } from '../shared/crypto/opening.ts';
import type { FieldValue, OwnerReading } from '../shared/owner-api.ts';
import type { FieldName } from '../shared/protocol/fields.ts';

/**
 * What is shown of a field: a number, sent in plain or opened with the owner's key; a lock with the key version that
 * sealed it; why the owner's key gives no number; or nothing.
 */
export type ShownValue =
  | { readonly kind: 'plain'; readonly value: number }
  | { readonly kind: 'opened'; readonly value: number; readonly keyVersion: number }
  | { readonly kind: 'failed'; readonly reason: OpeningFault; readonly keyVersion: number }
  | { readonly kind: 'sealed'; readonly keyVersion: number }
  | { readonly kind: 'absent' };

const ABSENT: ShownValue = { kind: 'absent' };

/**
 * The one place where a stored field becomes what is shown. `keyVersion` is that of its reading; `opened` what opening
 * it came to, undefined while the keys are locked.
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

/** What opening the sealed fields of a reading came to, as far as it was tried. */
export type OpenedFields = Readonly<Partial<Record<FieldName, OpenedItem>>>;

/** What is shown of a field of a reading, whose opened fields are `opened`. */
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

/** The order in which fields are listed, for a person: what is measured in the water first. */
export const SHOWN_FIELDS: readonly FieldName[] = ['ph', 'ec', 'waterLevel', 'tempWater', 'tempAmbient', 'humidity'];
