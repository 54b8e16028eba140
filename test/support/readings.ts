import type { NewReading, StoredField } from '../../src/main/store/reading.ts';
import type { Signed } from '../../src/main/store/signed.ts';
import { FIELD_NAMES, type FieldName } from '../../src/shared/protocol/fields.ts';

/** A reading for a test to write. */
export interface TestReading {
  readonly seq: bigint;
  readonly timestamp: bigint;
  readonly receivedAt: number;
  /** 0 if missing. */
  readonly keyVersion?: number;
  /** In the order of SENSOR_FIELDS; missing fields are absent. */
  readonly fields: readonly StoredField[];
  /** If missing, no signature is stored. */
  readonly signed?: Signed | null;
}

/** Returns a reading of a device in the form that a store accepts. */
export function newReading(deviceId: string, reading: TestReading): NewReading {
  const { seq, timestamp, receivedAt, keyVersion = 0, signed = null } = reading;
  const fields = {} as Record<FieldName, StoredField>;
  for (const [index, name] of FIELD_NAMES.entries()) fields[name] = reading.fields[index] ?? null;
  return { deviceId, seq, timestamp, receivedAt, keyVersion, fields, signed };
}
