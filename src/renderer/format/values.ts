import type { OpenedItem, OpeningFault } from '../../shared/crypto/keyring/opening.ts';
import { type Correction, correctedValue, correctionTime } from '../../shared/measures/correction.ts';
import type { OwnerReading } from '../../shared/owner-api/readings.ts';
import type { FieldValue } from '../../shared/owner-api/values.ts';
import { FIELD_NAMES, type FieldName } from '../../shared/protocol/fields.ts';

/**
 * The display of a field: a number (sent in plain, or opened with the owner's key), a lock with the key version, the
 * reason why it did not open, or nothing. A number that a calibration corrects has the one that the device sent, too.
 */
export type ShownValue =
  | { readonly kind: 'plain'; readonly value: number; readonly sent?: number }
  | { readonly kind: 'opened'; readonly value: number; readonly sent?: number; readonly keyVersion: number }
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
 * the result of opening it, undefined while the keys are locked; `correct` corrects a number.
 */
export function shownValue(
  value: FieldValue | undefined,
  keyVersion: number,
  opened?: OpenedItem | undefined,
  correct: (sent: number) => number = (sent) => sent,
): ShownValue {
  if (value === null || value === undefined) return ABSENT;
  const numbers = (sent: number) => {
    const corrected = correct(sent);
    return corrected === sent ? { value: sent } : { value: corrected, sent };
  };
  if (typeof value === 'number') return { kind: 'plain', ...numbers(value) };
  if (opened === undefined) return { kind: 'sealed', keyVersion };
  return opened.ok
    ? { kind: 'opened', ...numbers(opened.value), keyVersion }
    : { kind: 'failed', reason: opened.reason, keyVersion };
}

/** The results of opening the sealed fields of a reading, for those that were tried. */
export type OpenedFields = Readonly<Partial<Record<FieldName, OpenedItem>>>;

/** The facts about a device that decide how its values are corrected. */
export interface Corrected {
  readonly corrections: readonly Correction[];
  readonly clockNotSet: boolean;
}

/** The display of a field of a reading, whose opened fields are `opened`; of a device that is given it is corrected. */
export function shownField(
  reading: Pick<OwnerReading, 'keyVersion' | 'fields' | 'timestamp' | 'receivedAt'>,
  field: FieldName,
  opened?: OpenedFields | undefined,
  device?: Corrected,
): ShownValue {
  const correct =
    device === undefined || device.corrections.length === 0
      ? undefined
      : (sent: number) => correctedValue(device.corrections, field, correctionTime(reading, device.clockNotSet), sent);
  return shownValue(reading.fields[field], reading.keyVersion, opened?.[field], correct);
}

/** The number that is shown, if one is. */
export function shownNumber(shown: ShownValue): number | null {
  return shown.kind === 'plain' || shown.kind === 'opened' ? shown.value : null;
}

/** The order in which fields are listed: those measured in the water first. */
export const SHOWN_FIELDS: readonly FieldName[] = FIELD_NAMES;
