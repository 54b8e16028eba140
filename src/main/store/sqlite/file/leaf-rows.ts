import { entryText, type ReadingEntry } from '../../../../shared/proof/leaf.ts';
import { entryOf } from '../../log-leaves.ts';
import { FIELD_COLUMNS } from './columns.ts';
import { toUnsigned } from './unsigned.ts';

/** The columns of `readings r` and `devices d` that an entry of a reading is made from. Read integers as bigints. */
export const LEAF_COLUMNS = `r.entry, d.id, r.seq, r.timestamp, r.received_at, r.clock, r.first_arrival, r.key_version,
  r.signature, r.signed, ${FIELD_COLUMNS.map((name) => `r.${name}`).join(', ')}`;

export type LeafRow = [
  entry: bigint | null,
  id: Buffer,
  seq: bigint,
  timestamp: bigint,
  receivedAt: bigint,
  clock: bigint | null,
  firstArrival: string | null,
  keyVersion: bigint,
  signature: Buffer | null,
  signed: bigint | Buffer | null,
  ...fields: (number | Buffer | null)[],
];
const FIELDS_AT = 10;

/** Returns the log entry of a row. */
export function entryOfRow(row: LeafRow): ReadingEntry {
  const [, id, seq, timestamp, receivedAt, clock, firstArrival, keyVersion, signature, kept] = row;
  return entryOf({
    ...{ device: id.toString('hex'), seq: toUnsigned(seq), timestamp: toUnsigned(timestamp), receivedAt, clock },
    ...{ firstArrival, keyVersion: Number(keyVersion), signature, kept },
    values: row.slice(FIELDS_AT) as (number | Buffer | null)[],
  });
}

/** Returns the text of a row's entry. */
export function textOfRow(row: LeafRow): string {
  return entryText(entryOfRow(row));
}
