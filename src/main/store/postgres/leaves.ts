import { entryText, type ReadingEntry } from '../../../shared/proof/leaf.ts';
import { FIELD_NAMES } from '../../../shared/protocol/fields.ts';
import { entryOf } from '../log-leaves.ts';
import { FIELD_COLUMNS } from './schema.ts';

/** The offset that is subtracted from unsigned values to keep their order. */
const HALF = 2n ** 63n;

/** The columns of `reading` and `device` that an entry of a reading is made from. */
export const LEAF_COLUMNS = `reading.device, device.id, reading.seq, reading.timestamp, received_at, clock, first_arrival,
  key_version, signature, composition, raw, ${FIELD_COLUMNS.join(', ')}`;

export type LeafRow = Readonly<Record<string, unknown>>;

/** Returns the log entry of a row. */
export function entryOfRow(row: LeafRow): ReadingEntry {
  return entryOf({
    device: (row.id as Buffer).toString('hex'),
    seq: BigInt(row.seq as string) + HALF,
    timestamp: BigInt(row.timestamp as string) + HALF,
    ...{ receivedAt: row.received_at, clock: row.clock, firstArrival: row.first_arrival as string | null },
    ...{ keyVersion: Number(row.key_version), signature: row.signature, kept: row.composition ?? row.raw },
    values: FIELD_NAMES.map((name) => (row[name] ?? row[`${name}Sealed`] ?? null) as number | Buffer | null),
  });
}

/** Returns the text of a row's entry. */
export function textOfRow(row: LeafRow): string {
  return entryText(entryOfRow(row));
}
