import { SENSOR_FIELDS } from '../../../../shared/protocol/fields.ts';

/** The columns of `readings` that hold the fields, in the order of SENSOR_FIELDS. */
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

/** The column of `readings` that says by which clock a reading arrived. */
export const CLOCK_COLUMN = 'clock';

/** The columns of `hourly_rollups` that hold the fields: five for each. */
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

/** The columns of `readings` that keep what was signed: the signature, and a composition's number or the raw string. */
export const SIGNED_COLUMNS: readonly string[] = ['signature', 'signed'];

/** The columns of `readings` by which they are in the log. */
export const ENTRY_COLUMN = 'entry';
export const FIRST_ARRIVAL_COLUMN = 'first_arrival';

/** The SQL that follows INSERT or REPLACE: the table, its columns by name, and a parameter for each. */
export function into(table: string, columns: readonly string[]): string {
  return `INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
}
