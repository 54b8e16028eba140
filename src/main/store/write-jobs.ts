import type { DeviceNotes } from '../../shared/owner-api.ts';
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
  | {
      readonly kind: 'append';
      readonly rows: readonly ReadingRow[];
      /** A packed signature check that must be good for the rows to be stored. */
      readonly check?: Uint8Array | undefined;
    }
  | { readonly kind: 'register'; readonly registration: DeviceRegistration; readonly createdAt: number }
  | {
      readonly kind: 'tally';
      readonly withheld: readonly WithheldCount[];
      readonly outcomes: readonly OutcomeCount[];
      readonly unregistered: readonly UnregisteredDevice[] | null;
    }
  /** Deletes at most `limit` readings of a device, and with the last of them all else that there is of it. */
  | { readonly kind: 'forget'; readonly device: number; readonly limit: number }
  /** Replaces the owner's notes on a device, or removes them. The private store alone has notes. */
  | { readonly kind: 'note'; readonly id: string; readonly notes: DeviceNotes | null; readonly updatedAt: number };

/** What became of each row of an append. */
export const RowFate = { DUPLICATE: 0, STORED: 1, NO_SUCH_DEVICE: 2, BAD_SIGNATURE: 3 } as const;

/** What each kind of job answers. */
export interface WriteResults {
  readonly append: Uint8Array;
  readonly register: 'created' | 'exists' | 'limit';
  readonly tally: null;
  readonly forget: { readonly readings: number; readonly isDone: boolean };
  readonly note: null;
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
