import { FIELD_NAMES } from '../../shared/protocol/fields.ts';
import { NONCE_BYTES } from '../../shared/protocol/limits.ts';
import type { ReadingOnDisk } from '../intake/stored-reading.ts';
import type { StoredField } from '../store/reading.ts';

/** A reading as JSON text for responses, with the values that it is sorted by. */
export interface RenderedReading {
  /** Canonical decimal text of the unsigned 64-bit value. */
  readonly seq: string;
  readonly timestamp: string;
  readonly json: string;
}

export function renderReading(reading: Omit<ReadingOnDisk, 'keyVersion'>): RenderedReading {
  const seq = reading.seq.toString();
  const timestamp = reading.timestamp.toString();
  const parts = [`{"seq":${seq},"timestamp":${timestamp},"receivedAt":${reading.receivedAt}`];
  for (const name of FIELD_NAMES) parts.push(`,"${name}":`, renderField(reading.fields[name]));
  parts.push('}');
  // The parts are joined into one flat string: a concatenated one would keep a dozen pieces of each reading in memory.
  return { seq, timestamp, json: parts.join('') };
}

function renderField(field: StoredField): string {
  if (field === null) return 'null';
  if (typeof field === 'number') return `{"value":${field}}`;
  return `{"encrypted":"${Buffer.from(field.buffer, field.byteOffset + NONCE_BYTES, field.byteLength - NONCE_BYTES).toString('hex')}"}`;
}
