import type { OwnerReading } from '../../../shared/owner-api/readings.ts';
import type { FieldValue } from '../../../shared/owner-api/values.ts';
import { FIELD_NAMES, type FieldName } from '../../../shared/protocol/fields.ts';
import { NONCE_BYTES } from '../../../shared/protocol/limits.ts';
import type { StoredField } from '../../store/reading.ts';
import type { MergedReading } from '../../store/stores-view.ts';

/** Returns a record of all fields. */
export function perField<T>(value: (name: FieldName) => T): Record<FieldName, T> {
  return Object.fromEntries(FIELD_NAMES.map((name) => [name, value(name)])) as Record<FieldName, T>;
}

/** Converts a stored field to the contract's form. */
export function toFieldValue(stored: StoredField): FieldValue {
  if (stored === null || typeof stored === 'number') return stored;
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  return { nonce: bytes.toString('hex', 0, NONCE_BYTES), cipher: bytes.toString('hex', NONCE_BYTES) };
}

/** Converts a reading to the contract's form. */
export function toOwnerReading(reading: MergedReading): OwnerReading {
  const { seq, timestamp, receivedAt, keyVersion, store, fields } = reading;
  return {
    seq: seq.toString(),
    timestamp: timestamp.toString(),
    receivedAt,
    keyVersion,
    store,
    fields: perField((name) => toFieldValue(fields[name])),
  };
}
