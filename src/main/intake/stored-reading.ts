import { FIELD_NAMES, type FieldName } from '../../shared/protocol/fields.ts';
import type { StoredReading } from '../common/node-events.ts';
import type { Reading } from '../store/port.ts';

/** A reading of the store as events tell of it. */
export function storedReading(deviceId: string, { seq, timestamp, receivedAt, fields }: Reading): StoredReading {
  const values: Partial<Record<FieldName, number>> = {};
  const sealed: FieldName[] = [];
  for (const name of FIELD_NAMES) {
    const field = fields[name];
    if (typeof field === 'number') values[name] = field;
    else if (field !== null) sealed.push(name);
  }
  return { deviceId, seq: seq.toString(), timestamp: timestamp.toString(), receivedAt, values, sealed };
}
