import { FIELD_NAMES, type FieldName } from '../../shared/protocol/fields.ts';
import type { StoredReading } from '../common/node-events.ts';
import type { StoredFields } from '../store/reading.ts';

/** A reading on disk. Its 64-bit values are numbers or decimal text. */
export interface ReadingOnDisk {
  readonly seq: bigint | string;
  readonly timestamp: bigint | string;
  readonly receivedAt: number;
  readonly keyVersion: number;
  readonly fields: StoredFields;
}

/** Returns a stored reading in the form that events have. */
export function storedReading(deviceId: string, { seq, timestamp, receivedAt, fields }: ReadingOnDisk): StoredReading {
  const values: Partial<Record<FieldName, number>> = {};
  const sealed: FieldName[] = [];
  for (const name of FIELD_NAMES) {
    const field = fields[name];
    if (typeof field === 'number') values[name] = field;
    else if (field !== null) sealed.push(name);
  }
  return { deviceId, seq: seq.toString(), timestamp: timestamp.toString(), receivedAt, values, sealed };
}
