import type { FieldValue } from '../shared/owner-api.ts';
import type { FieldName } from '../shared/protocol/fields.ts';

/** What is shown of a field: a number, a lock with the key version that sealed it, or nothing. */
export type ShownValue =
  | { readonly kind: 'plain'; readonly value: number }
  | { readonly kind: 'sealed'; readonly keyVersion: number }
  | { readonly kind: 'absent' };

const ABSENT: ShownValue = { kind: 'absent' };

/** The one place where a stored field becomes what is shown; `keyVersion` is that of its reading. */
export function shownValue(value: FieldValue | undefined, keyVersion: number): ShownValue {
  if (value === null || value === undefined) return ABSENT;
  return typeof value === 'number' ? { kind: 'plain', value } : { kind: 'sealed', keyVersion };
}

/** The order in which fields are listed, for a person: what is measured in the water first. */
export const SHOWN_FIELDS: readonly FieldName[] = ['ph', 'ec', 'waterLevel', 'tempWater', 'tempAmbient', 'humidity'];
