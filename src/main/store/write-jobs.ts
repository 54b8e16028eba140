import type { DeviceRegistration } from '../../shared/protocol/device.ts';

/**
 * What may be written to a store, as messages to the writer thread. They pass through structured clone, so they hold
 * plain data only.
 */

/** A field's value as stored: absent, plain, or sealed (nonce, then cipher with tag). */
export type StoredField = number | Uint8Array | null;

/** A reading on its way to the store: a row of `readings` in the order of its columns. */
export type ReadingRow = readonly [
  device: number,
  /** The signed integer of the same 64 bits; a number where that is exact. */
  seq: number | bigint,
  timestamp: number | bigint,
  receivedAt: number,
  keyVersion: number,
  ph: StoredField,
  ec: StoredField,
  waterLevel: StoredField,
  tempWater: StoredField,
  tempAmbient: StoredField,
  humidity: StoredField,
];

/** Why something that was accepted is not kept: see the table `withheld`. */
export type WithheldCause = 'publish_to' | 'omit' | 'encrypted_only';

export interface WithheldCount {
  readonly device: number;
  readonly cause: WithheldCause;
  /** A policy field name; empty where the cause concerns the whole block. */
  readonly field: string;
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

export interface OutcomeCount {
  /** Hours since 1970, UTC. */
  readonly hour: number;
  readonly outcome: string;
  readonly count: number;
}

/** A device that posts without being registered. */
export interface UnregisteredDevice {
  /** Its public key, lowercase hex. */
  readonly id: string;
  readonly attempts: number;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly lastError: string;
}

export type WriteJob =
  | { readonly kind: 'append'; readonly rows: readonly ReadingRow[] }
  | { readonly kind: 'register'; readonly registration: DeviceRegistration; readonly createdAt: number }
  | {
      readonly kind: 'tally';
      readonly withheld: readonly WithheldCount[];
      readonly outcomes: readonly OutcomeCount[];
      readonly unregistered: readonly UnregisteredDevice[] | null;
    };

/** What became of each row of an append. */
export const RowFate = { DUPLICATE: 0, STORED: 1, NO_SUCH_DEVICE: 2 } as const;

/** What each kind of job answers. */
export interface WriteResults {
  readonly append: Uint8Array;
  readonly register: 'created' | 'exists' | 'limit';
  readonly tally: null;
}

export type WriteResult = WriteResults[keyof WriteResults];

/** How a job ended, or why nothing of it was written. */
export type WriteOutcome =
  | { readonly ok: true; readonly result: WriteResult }
  | { readonly ok: false; readonly storage: boolean; readonly code: string; readonly message: string };

/** Bounds on a store that strangers write to. */
export interface StoreBounds {
  readonly maxDevices: number;
  readonly maxBytes: number;
  /** Free bytes of the disk that are never used up. */
  readonly minFreeBytes: number;
}
