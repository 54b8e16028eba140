import type { Database } from 'better-sqlite3';
import { FIELD_NAMES, SENSOR_FIELDS } from '../../shared/protocol/fields.ts';
import { MAX_READINGS_RETURNED, NONCE_BYTES } from '../../shared/protocol/limits.ts';
import type { ReadingRow, StoredField } from './write-jobs.ts';

/** A reading as JSON text, with what it is ordered by. */
export interface RenderedReading {
  /** Canonical decimal text of the unsigned 64-bit value. */
  readonly seq: string;
  readonly timestamp: string;
  readonly json: string;
}

const fieldColumns = SENSOR_FIELDS.map(({ policyName }) => policyName).join(', ');

/** Newest first: by timestamp, then by seq, both as unsigned; the terms are those of the index `readings_by_time`. */
export const LATEST_READINGS_SQL = `
SELECT seq, timestamp, received_at, ${fieldColumns} FROM readings WHERE device = ?
ORDER BY (timestamp < 0) DESC, timestamp DESC, (seq < 0) DESC, seq DESC LIMIT ${MAX_READINGS_RETURNED}`;

type Row = [seq: bigint, timestamp: bigint, receivedAt: bigint, ...fields: StoredField[]];

/** Reads the readings of one store. */
export class ReadingQueries {
  readonly #latest;

  constructor(db: Database) {
    this.#latest = db.prepare<[number], Row>(LATEST_READINGS_SQL).raw().safeIntegers();
  }

  /** The latest readings of a device, newest first, at most 500. */
  latest(device: number): RenderedReading[] {
    return this.#latest.all(device).map(([seq, timestamp, receivedAt, ...fields]) => {
      const unsignedSeq = BigInt.asUintN(64, seq).toString();
      const unsignedTimestamp = BigInt.asUintN(64, timestamp).toString();
      return renderReading(unsignedSeq, unsignedTimestamp, Number(receivedAt), fields);
    });
  }
}

/** The response form of a row that was just written. */
export function renderRow(seq: string, timestamp: string, row: ReadingRow): RenderedReading {
  return renderReading(seq, timestamp, row[3], row.slice(5) as StoredField[]);
}

/** The signed integer of the same 64 bits as a canonical uint64 text; a number where that is exact. */
export function toSigned64(text: string): number | bigint {
  return text.length <= 15 ? Number(text) : BigInt.asIntN(64, BigInt(text));
}

function renderReading(
  seq: string,
  timestamp: string,
  receivedAt: number,
  fields: readonly StoredField[],
): RenderedReading {
  const parts = [`{"seq":${seq},"timestamp":${timestamp},"receivedAt":${receivedAt}`];
  for (const [index, name] of FIELD_NAMES.entries()) parts.push(`,"${name}":`, renderField(fields[index] ?? null));
  parts.push('}');
  // One flat string: a chain of concatenations would keep a dozen pieces of each reading in memory.
  return { seq, timestamp, json: parts.join('') };
}

function renderField(field: StoredField): string {
  if (field === null) return 'null';
  if (typeof field === 'number') return `{"value":${field}}`;
  return `{"encrypted":"${Buffer.from(field.buffer, field.byteOffset + NONCE_BYTES, field.byteLength - NONCE_BYTES).toString('hex')}"}`;
}
