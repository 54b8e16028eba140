import type { StoreName } from '../../../../shared/protocol/codes.ts';
import { FIELD_NAMES, type FieldName } from '../../../../shared/protocol/fields.ts';
import type { Reading, StoredField } from '../../reading.ts';
import { signedOf } from '../../signed.ts';
import type { ReadingFilter } from '../../stores-view.ts';
import { FIELD_COLUMNS, SIGNED_COLUMNS } from '../file/columns.ts';
import { toUnsigned } from '../file/unsigned.ts';
import type { ReadConnection } from './read-connection.ts';
import type { Stretch } from './stretches.ts';

/** A device's readings in one store. */
export interface Source {
  readonly store: StoreName;
  /** The number of the device there. */
  readonly device: number;
  /** Its number in the private store, whose readings hide those with the same seq; null: nothing is hidden. */
  readonly hiddenBy: number | null;
}

type Row = [seq: bigint, timestamp: bigint, receivedAt: bigint, keyVersion: bigint, ...fields: StoredField[]];

const COLUMNS = `seq, timestamp, received_at, key_version, ${FIELD_COLUMNS.join(', ')}`;
const FIELDS_AT = 4;
const SIGNED_AT = FIELDS_AT + FIELD_COLUMNS.length;
const COLUMNS_AND_SIGNED = `${COLUMNS}, ${SIGNED_COLUMNS.join(', ')}`;

/** The options of a query of readings. */
export interface Wanted {
  readonly filter?: ReadingFilter | null;
  /** The id of the device, if the signed raw strings are wanted too. */
  readonly signedBy?: string | null;
}

/** Returns the SQL condition that selects the readings `r` of a source, and its values. */
export function countsOf(
  { hiddenBy }: Source,
  filter: ReadingFilter | null = null,
): { readonly where: string; readonly values: readonly number[] } {
  const wanted = filter === null ? { where: '', values: [] } : conditionOf(filter);
  if (hiddenBy === null) return wanted;
  const where = ' AND NOT EXISTS (SELECT 1 FROM main.readings p WHERE p.device = ? AND p.seq = r.seq)';
  return { where: wanted.where + where, values: [...wanted.values, hiddenBy] };
}

/** Devices compute in 32-bit floats: a value for 6.2 may differ from it by the distance of two such floats. */
const FLOAT32_ERROR = 2 ** -23;

function conditionOf({ field, form, min, max }: ReadingFilter) {
  const column = `r.${FIELD_COLUMNS[FIELD_NAMES.indexOf(field)]!}`;
  const isBounded = min !== null || max !== null;
  const type = isBounded || form === 'plain' ? `typeof(${column}) <> 'blob'` : `typeof(${column}) = 'blob'`;
  const conditions = form === 'any' && !isBounded ? [`${column} IS NOT NULL`] : [`${column} IS NOT NULL`, type];
  const values: number[] = [];
  for (const [bound, sign, operator] of [
    [min, -1, '>='],
    [max, 1, '<='],
  ] as const) {
    if (bound === null) continue;
    conditions.push(`${column} ${operator} ?`);
    values.push(bound + sign * Math.abs(bound) * FLOAT32_ERROR);
  }
  return { where: conditions.map((condition) => ` AND ${condition}`).join(''), values };
}

/** Returns at most `limit` readings of a source, stretch by stretch. */
export function selectReadings(
  connection: ReadConnection,
  source: Source,
  stretches: readonly Stretch[],
  direction: 'ASC' | 'DESC',
  limit: number,
  { filter = null, signedBy = null }: Wanted = {},
): Reading[] {
  const found: Reading[] = [];
  const { where: counts, values: hidden } = countsOf(source, filter);
  for (const { index, where, values, order } of stretches) {
    if (found.length >= limit) break;
    const sql = `SELECT ${signedBy === null ? COLUMNS : COLUMNS_AND_SIGNED} FROM @.readings r ${index} WHERE r.device = ? AND ${where}${counts}
      ORDER BY ${order.map((column) => `${column} ${direction}`).join(', ')} LIMIT ?`;
    const statement = connection.statement<Row>(source.store, sql, true);
    const rows = statement.all(source.device, ...values, ...hidden, limit - found.length);
    for (const row of rows) found.push(signedBy === null ? toReading(row) : toSignedReading(row, signedBy));
  }
  return found;
}

function toReading(row: Row): Reading {
  const [seq, timestamp, receivedAt, keyVersion] = row;
  const fields = {} as Record<FieldName, StoredField>;
  for (const [index, name] of FIELD_NAMES.entries()) fields[name] = row[FIELDS_AT + index] as StoredField;
  return {
    seq: toUnsigned(seq),
    timestamp: toUnsigned(timestamp),
    receivedAt: Number(receivedAt),
    keyVersion: Number(keyVersion),
    fields,
  };
}

function toSignedReading(row: Row, deviceId: string): Reading {
  const reading = toReading(row);
  const { seq, timestamp, keyVersion } = reading;
  const values = row.slice(FIELDS_AT, SIGNED_AT);
  const signed = signedOf(row[SIGNED_AT], row[SIGNED_AT + 1], { deviceId, seq, timestamp, keyVersion, values });
  return { ...reading, signed };
}
