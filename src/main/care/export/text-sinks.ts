import { type Cell, type CsvDialect, csvLine } from '../../../shared/export/csv.ts';
import { FIELD_NAMES } from '../../../shared/protocol/fields.ts';
import type { ExportedReading } from './rows.ts';
import { NewFile, type ReadingSink } from './sink.ts';

/** Lines of text, one for each reading. */
class LinesSink implements ReadingSink {
  readonly #file: NewFile;
  readonly #line: (reading: ExportedReading) => string;

  constructor(path: string, head: string, line: (reading: ExportedReading) => string) {
    this.#file = new NewFile(path);
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

/** Readings as CSV (RFC 4180); sealed fields are in columns of their own. */
export function csvSink(path: string, dialect: CsvDialect): ReadingSink {
  const head = [
    ...['seq', 'timestamp_ms', 'time_utc', 'received_at_utc', 'store', 'key_version'],
    ...FIELD_NAMES,
    ...FIELD_NAMES.map((name) => `${name}_sealed`),
  ];
  return new LinesSink(path, csvLine(head, dialect), (reading) => {
    const { seq, timestamp, time, receivedAt, store, keyVersion, plain, sealed } = reading;
    const cells: Cell[] = [seq.toString(), timestamp.toString(), time?.toISOString() ?? null, receivedAt.toISOString()];
    cells.push(
      store,
      keyVersion,
      ...FIELD_NAMES.map((name) => plain[name]),
      ...FIELD_NAMES.map((name) => sealed[name]),
    );
    return csvLine(cells, dialect);
  });
}

/** Readings as JSON, one a line; 64-bit values are decimal text, so that no digit is lost. */
export function ndjsonSink(path: string): ReadingSink {
  return new LinesSink(path, '', (reading) => {
    const { seq, timestamp, time, receivedAt, store, keyVersion, plain, sealed } = reading;
    const fields: Record<string, unknown> = {};
    for (const name of FIELD_NAMES) {
      if (plain[name] !== null) fields[name] = plain[name];
      else if (sealed[name] !== null) fields[name] = { sealed: sealed[name] };
    }
    return `${JSON.stringify({
      seq: seq.toString(),
      timestamp: timestamp.toString(),
      time,
      receivedAt,
      store,
      keyVersion,
      ...fields,
    })}\n`;
  });
}
