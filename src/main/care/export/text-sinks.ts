import { type Cell, type CsvDialect, csvLine } from '../../../shared/export/csv.ts';
import { DERIVED_NAMES } from '../../../shared/measures/derived.ts';
import { FIELD_NAMES } from '../../../shared/protocol/fields.ts';
import type { ExportedReading } from './rows.ts';
import type { ByteTarget, ReadingSink } from './sink.ts';

/** Writes a line of text for each reading. */
class LinesSink implements ReadingSink {
  readonly #file: ByteTarget;
  readonly #line: (reading: ExportedReading) => string;

  constructor(file: ByteTarget, head: string, line: (reading: ExportedReading) => string) {
    this.#file = file;
    this.#line = line;
    if (head !== '') this.#file.write(Buffer.from(head));
  }

  write(readings: readonly ExportedReading[]): void {
    this.#file.write(Buffer.from(readings.map(this.#line).join('')));
  }

  finish(): void {
    this.#file.finish();
  }

  discard(): void {
    this.#file.discard();
  }
}

/** Readings as CSV (RFC 4180); sealed fields are in columns of their own, and derived ones come last. */
export function csvSink(file: ByteTarget, dialect: CsvDialect): ReadingSink {
  const head = [
    ...['seq', 'timestamp_ms', 'time_utc', 'received_at_utc', 'store', 'key_version'],
    ...FIELD_NAMES,
    ...FIELD_NAMES.map((name) => `${name}_sealed`),
    ...DERIVED_NAMES.map((name) => `${name}_derived`),
  ];
  return new LinesSink(file, csvLine(head, dialect), (reading) => {
    const { seq, timestamp, time, receivedAt, store, keyVersion, plain, sealed, derived } = reading;
    const cells: Cell[] = [seq.toString(), timestamp.toString(), time?.toISOString() ?? null, receivedAt.toISOString()];
    cells.push(
      store,
      keyVersion,
      ...FIELD_NAMES.map((name) => plain[name]),
      ...FIELD_NAMES.map((name) => sealed[name]),
      ...DERIVED_NAMES.map((name) => derived[name]),
    );
    return csvLine(cells, dialect);
  });
}

/** Writes readings as JSON, one per line. 64-bit values are decimal text, so that no digit is lost; bytes are hex. */
export function ndjsonSink(file: ByteTarget): ReadingSink {
  return new LinesSink(file, '', (reading) => {
    const { seq, timestamp, time, receivedAt, store, keyVersion, plain, sealed, derived } = reading;
    const signed = reading.signed && { signed: hex(reading.signed.raw), signature: hex(reading.signed.signature) };
    const fields: Record<string, unknown> = {};
    for (const name of FIELD_NAMES) {
      if (plain[name] !== null) fields[name] = plain[name];
      else if (sealed[name] !== null) fields[name] = { sealed: sealed[name] };
    }
    const known = Object.entries(derived).filter(([, value]) => value !== null);
    return `${JSON.stringify({
      seq: seq.toString(),
      timestamp: timestamp.toString(),
      time,
      receivedAt,
      store,
      keyVersion,
      ...fields,
      ...signed,
      ...(known.length > 0 && { derived: Object.fromEntries(known) }),
    })}\n`;
  });
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
