import type { Position } from './reading.ts';

/** A reading and its entry in the log. */
export interface LoggedReading extends Position {
  /** The index of its leaf; null if it has none, or none that is hashed. */
  readonly index: number | null;
  /** The stored time of arrival, Unix milliseconds. The entry has the time that was first recorded. */
  readonly receivedAt: number;
  /** The text of its entry. */
  readonly text: string;
}

/** A contradiction between a store and its log. */
export interface LogProblem {
  readonly index: number;
  /**
   * `changed`: the data differs from the log; `deleted`: the data is missing, but the program did not delete it;
   * `hash`: a hash of the log is wrong.
   */
  readonly kind: 'changed' | 'deleted' | 'hash';
  /** null if it is not known, or if the entry is not a reading. */
  readonly reading: { readonly device: string; readonly seq: string } | null;
}

/** A signed checkpoint of a store's log. */
export interface StoredCheckpoint {
  readonly size: number;
  /** When the checkpoint was signed, Unix milliseconds. */
  readonly at: number;
  readonly note: string;
}

/** The log of a store: a Merkle tree (RFC 6962) of the stored data, as one snapshot sees it. */
export interface StoreLog {
  /** The number of hashed leaves. */
  readonly size: number;
  /**
   * Returns the hash of a complete subtree: of the 2^level leaves from position * 2^level on. Throws if the log lacks
   * it.
   */
  subtree(level: number, position: number): Uint8Array;
  /** Returns the entries that record moves of times of arrival. */
  corrections(): readonly { readonly index: number; readonly text: string }[];
  /** Returns the registrations of a device, or of all devices (null). */
  registrations(device: string | null): readonly { readonly index: number; readonly text: string }[];
  /** Returns the checkpoints in the order of their sizes. */
  checkpoints(): readonly StoredCheckpoint[];
  /** Compares the 256 leaves of a block, and the hashes that it completes, with the stored data. */
  check(block: number): readonly LogProblem[] | Promise<readonly LogProblem[]>;
}
