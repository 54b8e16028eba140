import { SENSOR_FIELDS } from '../../../../shared/protocol/fields.ts';

/** The field columns of `readings`, in the order of SENSOR_FIELDS. */
export const FIELD_COLUMNS: readonly string[] = SENSOR_FIELDS.map(({ policyName }) => policyName);

/** The columns of `readings`, in the order of a ReadingRow. */
export const READING_COLUMNS: readonly string[] = [
  'device',
  'seq',
  'timestamp',
  'received_at',
  'key_version',
  ...FIELD_COLUMNS,
];

/** The column of `readings` with the number of the clock that gave the time of arrival. */
export const CLOCK_COLUMN = 'clock';

/** The field columns of `hourly_rollups`: five for each field. */
export const ROLLUP_FIELD_COLUMNS: readonly string[] = FIELD_COLUMNS.flatMap((name) =>
  ['count', 'sealed', 'min', 'max', 'sum'].map((kind) => `${name}_${kind}`),
);

/** The columns of `hourly_rollups`. */
export const ROLLUP_COLUMNS: readonly string[] = [
  'device',
  'hour',
  'readings',
  'seq_hash',
  'seq_min',
  'seq_max',
  'received_min',
  'received_max',
  ...ROLLUP_FIELD_COLUMNS,
];

/** The columns of `retained_hours`. */
export const RETAINED_COLUMNS: readonly string[] = ['device', 'hour', 'readings', ...ROLLUP_FIELD_COLUMNS];

/** The columns of `readings` for the signature and the stored raw string (a composition's number or the bytes). */
export const SIGNED_COLUMNS: readonly string[] = ['signature', 'signed'];

/** The columns of `readings` that link them to the log. */
export const ENTRY_COLUMN = 'entry';
export const FIRST_ARRIVAL_COLUMN = 'first_arrival';

/** Returns the SQL that follows INSERT or REPLACE: the table, its columns, and a parameter for each. */
export function into(table: string, columns: readonly string[]): string {
  return `INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
}
