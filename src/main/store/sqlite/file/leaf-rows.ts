import { hash } from 'node:crypto';
import { entryText, type ReadingEntry } from '../../../../shared/proof/leaf.ts';
import { leafHash, type Sha256 } from '../../../../shared/proof/merkle.ts';
import { FIELD_NAMES, type FieldName } from '../../../../shared/protocol/fields.ts';
import { signedOf } from '../../signed.ts';
import { FIELD_COLUMNS } from './columns.ts';
import { toUnsigned } from './unsigned.ts';

/** The columns that an entry of a reading is made from, of `readings r` and `devices d`. Read integers as bigints. */
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

/** More levels than this are made from the leaves when they are needed. */
export const LOWEST_KEPT_LEVEL = 8;
/** The leaves of a subtree of the lowest level that is kept. */
export const BLOCK_LEAVES = 2 ** LOWEST_KEPT_LEVEL;

export const sha256: Sha256 = (data) => hash('sha256', data, 'buffer');

/** The entry of a row. */
export function entryOfRow(row: LeafRow): ReadingEntry {
  const [, id, storedSeq, storedTimestamp, receivedAt, clock, firstArrival, keyVersion, signature, kept] = row;
  const [device, seq, timestamp] = [id.toString('hex'), toUnsigned(storedSeq), toUnsigned(storedTimestamp)];
  const values = row.slice(FIELDS_AT) as (number | Buffer | null)[];
  const [firstAt, firstClock] = (firstArrival ?? `${receivedAt} ${clock ?? 0}`).split(' ').map(Number);
  const fields = new Map<FieldName, number | Uint8Array>();
  for (const [place, name] of FIELD_NAMES.entries()) {
    const value = values[place];
    if (value != null) fields.set(name, value);
  }
  return {
    ...{ kind: 'reading', device, seq: String(seq), timestamp: String(timestamp) },
    ...{ receivedAt: firstAt!, clock: firstClock!, keyVersion: Number(keyVersion) },
    signed: signedOf(signature, kept, { deviceId: device, seq, timestamp, keyVersion: Number(keyVersion), values }),
    fields,
  };
}

/** The text of a row's entry. */
export function textOfRow(row: LeafRow): string {
  return entryText(entryOfRow(row));
}

/** The hash of an entry with this text. */
export function hashOfText(text: string): Uint8Array {
  return leafHash(sha256, Buffer.from(text, 'utf8'));
}
