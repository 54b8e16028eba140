import { bytesToHex } from '../../../shared/crypto/hex.ts';
import { FIELD_NAMES, type FieldName } from '../../../shared/protocol/fields.ts';
import { MAX_READINGS_RETURNED } from '../../../shared/protocol/limits.ts';
import type { Pruned } from '../port.ts';
import type { NewReading, Reading, ReadingOutcome, StoredField } from '../reading.ts';
import { type KeptRaw, keptRawOf } from '../signed.ts';
import { type Query, SYNCED } from './database.ts';
import { deleteReadings, queueStored } from './log-writer.ts';
import { FIELD_COLUMNS } from './schema.ts';

/** The offset that is subtracted from unsigned values to keep their order. */
const HALF = 2n ** 63n;

const VALUES = ['seq', 'timestamp', 'received_at', 'key_version', ...FIELD_COLUMNS];
const COLUMNS = [...VALUES, 'signature', 'composition', 'raw', 'clock'];
const TYPES = [
  ...['bigint', 'bigint', 'bigint', 'bigint'],
  ...FIELD_NAMES.flatMap(() => ['float8', 'bytea']),
  ...['bytea', 'smallint', 'bytea', 'bigint'],
];

/**
 * Stores readings with one statement, so all or none. Rows are inserted in the order of their keys, so that nodes with
 * the same rows wait for each other in one order. The numbers show which of several rows with one seq came first.
 */
export async function appendReadings(
  query: Query,
  schema: string,
  readings: readonly NewReading[],
): Promise<ReadingOutcome[]> {
  const rows = await query<{ number: number; isStored: boolean }>(
    `WITH ${SYNCED}, sent AS (
      SELECT sent.* FROM unnest($1::bytea[], $2::int[], ${TYPES.map((type, index) => `$${index + 3}::${type}[]`).join(', ')})
        WITH ORDINALITY AS sent (id, registration, ${COLUMNS.join(', ')}, number), synced
    ), known AS (
      SELECT device.device, sent.* FROM sent JOIN ${schema}.device ON device.id = sent.id
      WHERE device.device = coalesce(sent.registration, device.device) AND NOT EXISTS (SELECT FROM ${schema}.blocked WHERE key IN (device.id, device.owner))
    ), stored AS (
      INSERT INTO ${schema}.reading (device, ${COLUMNS.join(', ')})
      SELECT device, ${COLUMNS.join(', ')} FROM known ORDER BY device, seq, number
      ON CONFLICT DO NOTHING RETURNING device, seq
    ), ${queueStored(schema)}
    SELECT known.number::int, stored.seq IS NOT NULL AS "isStored"
    FROM known LEFT JOIN stored ON stored.device = known.device AND stored.seq = known.seq`,
    columnsOf(readings),
  );
  const isStored = new Map(rows.map((row) => [row.number - 1, row.isStored]));
  const seen = new Set<string>();
  return readings.map(({ deviceId, seq, receivedAt }, index): ReadingOutcome => {
    const stored = isStored.get(index);
    if (stored === undefined) return { kind: 'unknown_device' };
    const key = `${deviceId} ${seq}`;
    if (!stored || seen.has(key)) return { kind: 'duplicate' };
    seen.add(key);
    return { kind: 'stored', receivedAt };
  });
}

/** See Store.latest. */
export async function latestReadings(
  query: Query,
  schema: string,
  id: string,
  limit: number,
  before: bigint | null,
): Promise<Reading[]> {
  const [of] = await query<{ device: number }>(`SELECT device FROM ${schema}.device WHERE id = $1`, [
    Buffer.from(id, 'hex'),
  ]);
  if (of === undefined) return [];
  const select = `SELECT ${VALUES.join(', ')} FROM ${schema}.reading WHERE device = $1`;
  const order = 'ORDER BY timestamp DESC, seq DESC LIMIT $2';
  if (before === null) return (await query(`${select} ${order}`, [of.device, limit])).map(readingOf);
  const [place] = await query<{ timestamp: string; seq: string }>(
    `SELECT timestamp, seq FROM ${schema}.reading WHERE device = $1 AND seq <= $2 ORDER BY seq DESC LIMIT 1`,
    [of.device, signed(before)],
  );
  if (place === undefined) return [];
  // If there is no reading with that seq, the page begins with the reading of the next lower seq.
  const compare = place.seq === signed(before) ? '<' : '<=';
  const rows = await query(`${select} AND (timestamp, seq) ${compare} ($3, $4) ${order}`, [
    ...[of.device, limit, place.timestamp, place.seq],
  ]);
  return rows.map(readingOf);
}

/** See Store.prune. To be called in a transaction. */
export async function pruneReadings(
  query: Query,
  schema: string,
  id: string,
  before: number,
  limit: number,
): Promise<Pruned> {
  const [of] = await query<{ device: number }>(`SELECT device FROM ${schema}.device WHERE id = $1`, [
    Buffer.from(id, 'hex'),
  ]);
  if (of === undefined) return { readings: 0, isDone: true, isWaiting: false };
  const old = await query<{ seq: string }>(
    `SELECT seq FROM ${schema}.reading WHERE device = $1 AND received_at < $2 AND timestamp < $3
       AND (timestamp, seq) <= (
         SELECT timestamp, seq FROM ${schema}.reading WHERE device = $1
         ORDER BY timestamp DESC, seq DESC OFFSET ${MAX_READINGS_RETURNED} LIMIT 1
       )
     ORDER BY timestamp, seq LIMIT $4`,
    [of.device, before, signed(BigInt(before)), limit],
  );
  if (old.length > 0) {
    const seqs = old.map(({ seq }) => seq);
    await deleteReadings(query, schema, of.device, seqs);
  }
  return { readings: old.length, isDone: old.length < limit, isWaiting: false };
}

function signed(value: bigint): string {
  return (value - HALF).toString();
}

/** A reading with the stored form of its raw string. */
type Sent = NewReading & { readonly kept: KeptRaw | null };

/** The literals of a reading's values, in the order of the statement's parameters; null: SQL's. */
const LITERALS: readonly ((sent: Sent) => string | null)[] = [
  ({ deviceId }) => hexLiteral(deviceId),
  ({ registration }) => registration?.toString() ?? null,
  ({ seq }) => signed(seq),
  ({ timestamp }) => signed(timestamp),
  ({ receivedAt }) => receivedAt.toString(),
  ({ keyVersion }) => keyVersion.toString(),
  ...FIELD_NAMES.flatMap((name): ((sent: Sent) => string | null)[] => [
    ({ fields: { [name]: value } }) => (typeof value === 'number' ? value.toString() : null),
    ({ fields: { [name]: value } }) => (value instanceof Uint8Array ? hexLiteral(bytesToHex(value)) : null),
  ]),
  ({ signed }) => (signed ? hexLiteral(bytesToHex(signed.signature)) : null),
  ({ kept }) => (typeof kept === 'number' ? kept.toString() : null),
  ({ kept }) => (kept instanceof Uint8Array ? hexLiteral(bytesToHex(kept)) : null),
  ({ clock }) => (clock ? clock.toString() : null),
];

/**
 * Returns the statement's parameters: for each column an array literal, or null if all its values are. The library's own
 * conversion costs as much as everything else that a lone reading takes here.
 */
function columnsOf(readings: readonly NewReading[]): (string | null)[] {
  const sent = readings.map((reading): Sent => ({ ...reading, kept: keptRaw(reading) }));
  return LITERALS.map((literalOf) => {
    const literals = sent.map(literalOf);
    return literals.every((literal) => literal === null) ? null : `{${literals.map(orNull).join(',')}}`;
  });
}

function hexLiteral(hex: string): string {
  return `\\\\x${hex}`;
}

function orNull(literal: string | null): string {
  return literal ?? 'NULL';
}

function keptRaw({ deviceId, seq, timestamp, keyVersion, fields, signed }: NewReading): KeptRaw | null {
  if (!signed) return null;
  const values = FIELD_NAMES.map((name) => fields[name]);
  return keptRawOf(Buffer.from(signed.raw), { deviceId, seq, timestamp, keyVersion, values });
}

function readingOf(row: Record<string, unknown>): Reading {
  const fields = {} as Record<FieldName, StoredField>;
  for (const name of FIELD_NAMES) fields[name] = (row[name] ?? row[`${name}Sealed`] ?? null) as StoredField;
  return {
    seq: BigInt(row.seq as string) + HALF,
    timestamp: BigInt(row.timestamp as string) + HALF,
    receivedAt: Number(row.received_at),
    keyVersion: Number(row.key_version),
    fields,
  };
}
