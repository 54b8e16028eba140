import type { SchemaElement } from 'hyparquet-writer';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { DERIVED_NAMES } from '../../../shared/measures/derived.ts';
import { FIELD_NAMES } from '../../../shared/protocol/fields.ts';
import type { ExportedReading } from './rows.ts';
import type { ByteTarget, ReadingSink } from './sink.ts';

/** The number of rows that are compressed together: small enough to keep memory low. */
export const ROWS_PER_GROUP = 20_000;

const COLUMNS: readonly SchemaElement[] = [
  { name: 'seq', type: 'INT64', converted_type: 'UINT_64', repetition_type: 'REQUIRED' },
  { name: 'timestamp_ms', type: 'INT64', converted_type: 'UINT_64', repetition_type: 'REQUIRED' },
  { name: 'time', type: 'INT64', converted_type: 'TIMESTAMP_MILLIS', repetition_type: 'OPTIONAL' },
  { name: 'received_at', type: 'INT64', converted_type: 'TIMESTAMP_MILLIS', repetition_type: 'REQUIRED' },
  { name: 'store', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
  { name: 'key_version', type: 'INT64', repetition_type: 'REQUIRED' },
  ...FIELD_NAMES.map((name): SchemaElement => ({ name, type: 'DOUBLE', repetition_type: 'OPTIONAL' })),
  ...FIELD_NAMES.map((name): SchemaElement => {
    return { name: `${name}_sealed`, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' };
  }),
  ...DERIVED_NAMES.map((name): SchemaElement => {
    return { name: `${name}_derived`, type: 'DOUBLE', repetition_type: 'OPTIONAL' };
  }),
];

/** Writes readings as Apache Parquet. `about` becomes the metadata of the file. */
export class ParquetSink implements ReadingSink {
  readonly #file: ByteTarget;
  readonly #writer: ParquetWriter;
  #rows: ExportedReading[] = [];

  constructor(file: ByteTarget, about: Readonly<Record<string, string>>) {
    this.#file = file;
    this.#writer = new ParquetWriter({
      writer: writerTo(this.#file),
      schema: [{ name: 'readings', num_children: COLUMNS.length }, ...COLUMNS],
      kvMetadata: Object.entries(about).map(([key, value]) => ({ key, value })),
      createdBy: 'Wellhouse',
    });
  }

  write(readings: readonly ExportedReading[]): void {
    this.#rows.push(...readings);
    if (this.#rows.length >= ROWS_PER_GROUP) this.#flush();
  }

  finish(): void {
    this.#flush();
    void this.#writer.finish();
    this.#file.finish();
  }

  discard(): void {
    this.#file.discard();
  }

  #flush(): void {
    const rows = this.#rows;
    this.#rows = [];
    if (rows.length === 0) return;
    const data = [
      rows.map(({ seq }) => seq),
      rows.map(({ timestamp }) => timestamp),
      rows.map(({ time }) => time),
      rows.map(({ receivedAt }) => receivedAt),
      rows.map(({ store }) => store),
      rows.map(({ keyVersion }) => BigInt(keyVersion)),
      ...FIELD_NAMES.map((name) => rows.map(({ plain }) => plain[name])),
      ...FIELD_NAMES.map((name) => rows.map(({ sealed }) => sealed[name])),
      ...DERIVED_NAMES.map((name) => rows.map(({ derived }) => derived[name])),
    ];
    const columnData = COLUMNS.map(({ name }, index) => ({ name, data: data[index]! }));
    void this.#writer.write({ columnData, rowGroupSize: ROWS_PER_GROUP });
  }
}

const WRITE_AT_BYTES = 1_000_000;

/** The library's own file writer creates world-readable files, and reopens them for each write. */
function writerTo(file: ByteTarget): ByteWriter {
  const writer = new ByteWriter();
  const flush = () => {
    file.write(new Uint8Array(writer.buffer, 0, writer.index));
    writer.index = 0;
  };
  const grow = writer.ensure.bind(writer);
  writer.ensure = (size) => {
    if (writer.index > WRITE_AT_BYTES) flush();
    grow(size);
  };
  writer.finish = flush;
  return writer;
}
