import { hash } from 'node:crypto';
import { entryText, type ReadingEntry } from '../../../shared/proof/leaf.ts';
import { leafHash, type Sha256 } from '../../../shared/proof/merkle.ts';
import { FIELD_NAMES, type FieldName } from '../../../shared/protocol/fields.ts';
import { signedOf } from '../signed.ts';
import { FIELD_COLUMNS } from './schema.ts';

/** The offset that is subtracted from unsigned values to keep their order. */
const HALF = 2n ** 63n;

/** More levels than this are made from the leaves when they are needed. As in a store that is a file. */
export const LOWEST_KEPT_LEVEL = 8;
export const BLOCK_LEAVES = 2 ** LOWEST_KEPT_LEVEL;

/** The columns that an entry of a reading is made from, of `reading` and `device`. */
export const LEAF_COLUMNS = `reading.device, device.id, reading.seq, reading.timestamp, received_at, clock, first_arrival,
  key_version, signature, composition, raw, ${FIELD_COLUMNS.join(', ')}`;

export type LeafRow = Readonly<Record<string, unknown>>;

export const sha256: Sha256 = (data) => hash('sha256', data, 'buffer');

/** The entry of a row. */
export function entryOfRow(row: LeafRow): ReadingEntry {
  const device = (row.id as Buffer).toString('hex');
  const [seq, timestamp] = [BigInt(row.seq as string) + HALF, BigInt(row.timestamp as string) + HALF];
  const keyVersion = Number(row.key_version);
  const values = FIELD_NAMES.map((name) => (row[name] ?? row[`${name}Sealed`] ?? null) as number | Buffer | null);
  const first = (row.first_arrival as string | null) ?? `${row.received_at} ${row.clock ?? 0}`;
  const [receivedAt, clock] = first.split(' ').map(Number);
  const fields = new Map<FieldName, number | Uint8Array>();
  for (const [place, name] of FIELD_NAMES.entries()) if (values[place] != null) fields.set(name, values[place]);
  return {
    ...{ kind: 'reading', device, seq: String(seq), timestamp: String(timestamp) },
    ...{ receivedAt: receivedAt!, clock: clock!, keyVersion },
    signed: signedOf(row.signature, row.composition ?? row.raw, {
      deviceId: device,
      seq,
      timestamp,
      keyVersion,
      values,
    }),
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
