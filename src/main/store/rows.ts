import { FIELD_NAMES } from '../../shared/protocol/fields.ts';

/** A value in a row: an integer is a bigint, any other number is a number. */
export type Cell = null | bigint | number | string | Uint8Array;
export type Row = readonly Cell[];

/**
 * The tables of a public store, in the order in which they are copied, with the number of their first cells that are
 * the key.
 */
export const TABLES = {
  owners: 1,
  devices: 1,
  readings: 2,
  withheld: 3,
  unregistered: 1,
  outcomes: 2,
  retained_hours: 2,
  retention: 1,
  moved_clocks: 1,
  moved_arrivals: 2,
  log_entries: 1,
  log_leaves: 1,
  log_nodes: 2,
  log_state: 1,
  log_checkpoints: 1,
} as const;
export type TableName = keyof typeof TABLES;
export const TABLE_NAMES = Object.keys(TABLES) as TableName[];

/** The cells of a device's row. Lists, policy and hardware are JSON text. */
export const DEVICE_CELLS = [
  ...['device', 'id', 'mac', 'owner_pubkey', 'name', 'type', 'location', 'publish_to', 'networks', 'local_servers'],
  ...['encryption_key_version', 'privacy_policy', 'hardware', 'status', 'created_at'],
] as const;

/** The cells of a reading's row. `signed` is the number of a composition, or bytes; seq and timestamp are unsigned. */
export const READING_CELLS: readonly string[] = [
  ...['device', 'seq', 'timestamp', 'received_at', 'key_version'],
  ...FIELD_NAMES,
  ...['signature', 'signed', 'clock', 'entry', 'first_arrival'],
];

/** All rows of one store, in a form that every engine can read and write. */
export interface StoreRows {
  /** Returns rows after a key, in the order of their keys (bytes and texts by their bytes, numbers unsigned). */
  read(table: TableName, after: Row | null, limit: number): Promise<readonly Row[]>;
  /** Adds rows in one transaction. Rejects if a key already exists, or a row that it refers to is missing. */
  insert(table: TableName, rows: readonly Row[]): Promise<void>;
  close(): Promise<void>;
}

/** A store can't be moved now because nodes or another move use it. The message names them and the remedy. */
export class StoreInUse extends Error {
  override readonly name = 'StoreInUse';
}
