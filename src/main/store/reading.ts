import type { FieldName } from '../../shared/protocol/fields.ts';
import type { Signed } from './signed.ts';

/** A field's value: plain, sealed (the 12-byte nonce, then the cipher with its tag), or absent. */
export type StoredField = number | Uint8Array | null;
export type StoredFields = Readonly<Record<FieldName, StoredField>>;

/** A stored reading. For each seq of a device, only the first one is stored. */
export interface Reading {
  readonly seq: bigint;
  /** Unix milliseconds by the device's clock; milliseconds since its start if its clock is not set. */
  readonly timestamp: bigint;
  readonly receivedAt: number;
  readonly keyVersion: number;
  readonly fields: StoredFields;
  /** The signed raw string; null if the store has no signature. Missing if it was not requested. */
  readonly signed?: Signed | null;
}

/** A reading to be stored. */
export interface NewReading extends Reading {
  readonly deviceId: string;
  /** The number of the clock that gave `receivedAt`; missing or 0: the clock is known to be right. */
  readonly clock?: number;
  /** See BlockReading. */
  readonly registration?: number | undefined;
}

/** The input of a signature check; signature (64 bytes) and message in hex. */
export interface SignatureCheck {
  readonly publicKey: Uint8Array;
  readonly signature: string;
  readonly message: string;
}

/** The reading of a block, with its 64-bit values as decimal text. */
export interface BlockReading {
  readonly seq: string;
  readonly timestamp: string;
  readonly receivedAt: number;
  readonly keyVersion: number;
  /** The number of the clock that gave `receivedAt`; 0: the clock is known to be right. */
  readonly clock: number;
  readonly fields: StoredFields;
  /** Whether its signature and raw string are stored with it. */
  readonly keepsSigned: boolean;
  /**
   * The registration that its fields were judged by: if the device has another one now, the outcome is
   * `unknown_device`. Missing: any will do.
   */
  readonly registration?: number | undefined;
}

/** A block to be stored. */
export interface NewBlock {
  readonly check: SignatureCheck;
  /** The reading to store if the signature is good; null: only the signature is checked. */
  readonly reading: BlockReading | null;
}

/** The outcome for a reading. `duplicate`: it is already stored; `unknown_device`: its device is not registered. */
export type ReadingOutcome =
  /** `receivedAt` is the stored time; it differs from the sent one if the clock was found to be wrong meanwhile. */
  { readonly kind: 'stored'; readonly receivedAt: number } | { readonly kind: 'duplicate' | 'unknown_device' };

/** The outcome for a block. */
export type BlockOutcome =
  | ReadingOutcome
  | { readonly kind: 'bad_signature' }
  /** Its signature is good, and it has no reading. */
  | { readonly kind: 'signed' }
  /**
   * The block may or may not be stored; the device must send it again. The error is StorageUnavailable if the storage
   * is at fault.
   */
  | { readonly kind: 'refused'; readonly error: Error };

/** The position of a reading on an axis. */
export interface Position {
  readonly timestamp: bigint;
  readonly seq: bigint;
}
