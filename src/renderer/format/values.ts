import type { OpenedItem, OpeningFault } from '../../shared/crypto/keyring/opening.ts';
import { type Correction, correctedValue, correctionTime } from '../../shared/measures/correction.ts';
import {
  type AnyField,
  type DerivedBy,
  type DerivedName,
  derivedValue,
  isDerived,
  mayBeDerived,
  sourcesOf,
} from '../../shared/measures/derived.ts';
import type { DeviceSummary } from '../../shared/owner-api/devices.ts';
import type { OwnerReading } from '../../shared/owner-api/readings.ts';
import type { FieldValue } from '../../shared/owner-api/values.ts';
import { FIELD_NAMES, type FieldName } from '../../shared/protocol/fields.ts';

/**
 * The displayed value of a field: a number (plain, or opened with the owner's key), a lock with the key version, the
 * reason why it did not open, or nothing. If a calibration corrects the number, `sent` is the one that the device sent.
 */
export type ShownValue =
  | { readonly kind: 'plain'; readonly value: number; readonly sent?: number }
  | { readonly kind: 'opened'; readonly value: number; readonly sent?: number; readonly keyVersion: number }
  | { readonly kind: 'failed'; readonly reason: OpeningFault; readonly keyVersion: number }
  | { readonly kind: 'sealed'; readonly keyVersion: number }
  | { readonly kind: 'absent' };

/** The side on which a number is outside of its range, in the unit that the device sends, and the rule's severity. */
export interface OutOfRange {
  readonly side: 'low' | 'high';
  readonly severity: 'warning' | 'critical';
}

const ABSENT: ShownValue = { kind: 'absent' };

/**
 * Converts a stored field to its displayed value; the only function that does. `keyVersion` is that of its reading.
 * `opened` is the result of opening it; undefined while the keys are locked. `correct` corrects a number.
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

/** The properties of a device that decide how its values are corrected. */
export interface Corrected {
  readonly corrections: readonly Correction[];
  readonly clockNotSet: boolean;
}

/**
 * Returns the displayed value of a field of a reading. `opened` are the reading's opened fields. With `device`, the
 * value is corrected by its calibrations.
 */
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

/**
 * Returns the displayed value of a derived field, from its source fields in one reading. It is sealed if a source is
 * sealed.
 */
export function shownDerived(name: DerivedName, shown: (field: FieldName) => ShownValue, by: DerivedBy): ShownValue {
  if (!mayBeDerived(name, by)) return ABSENT;
  const sources = sourcesOf(name).map(shown);
  const lacking = ['absent', 'failed', 'sealed'] as const;
  for (const kind of lacking) {
    const found = sources.find((source) => source.kind === kind);
    if (found !== undefined) return found;
  }
  const value = derivedValue(name, (field) => shownNumber(shown(field)), by);
  if (value === null) return ABSENT;
  const opened = sources.find((source) => source.kind === 'opened');
  return opened === undefined ? { kind: 'plain', value } : { kind: 'opened', value, keyVersion: opened.keyVersion };
}

/** Returns the displayed value of any field of a reading, measured or derived. */
export function shownAny(
  reading: Parameters<typeof shownField>[0],
  field: AnyField,
  opened: OpenedFields | undefined,
  device: Corrected,
  by: DerivedBy,
): ShownValue {
  if (!isDerived(field)) return shownField(reading, field, opened, device);
  return shownDerived(field, (source) => shownField(reading, source, opened, device), by);
}

/** Returns whether a device sends a field, or the sources of a derived one. */
export function isSent(newest: DeviceSummary['newest'], field: AnyField, by: DerivedBy): boolean {
  if (isDerived(field) && !mayBeDerived(field, by)) return false;
  return sourcesOf(field).every((source) => newest[source] !== null);
}

/** Returns the displayed number; null if there is none. */
export function shownNumber(shown: ShownValue): number | null {
  return shown.kind === 'plain' || shown.kind === 'opened' ? shown.value : null;
}

/** The order in which fields are listed: those measured in the water first. */
export const SHOWN_FIELDS: readonly FieldName[] = FIELD_NAMES;
