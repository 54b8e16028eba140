import type { FieldName } from '../../shared/protocol/fields.ts';
import type { Signed } from './signed.ts';

/** A field's value: plain, sealed (the 12-byte nonce, then the cipher with its tag), or absent. */
export type StoredField = number | Uint8Array | null;
export type StoredFields = Readonly<Record<FieldName, StoredField>>;

/** A reading as a store keeps it. A device has one of each seq: the one that was stored first. */
export interface Reading {
  readonly seq: bigint;
  /** Unix milliseconds as the device said; since its start where its clock is not set. */
  readonly timestamp: bigint;
  readonly receivedAt: number;
  readonly keyVersion: number;
  readonly fields: StoredFields;
  /** The signed part of it; null if the store kept no signature. Missing if it was not asked for. */
  readonly signed?: Signed | null;
}

/** A reading on its way to a store. */
export interface NewReading extends Reading {
  readonly deviceId: string;
  /** By which clock it was received; missing or 0: one that is known to be right. */
  readonly clock?: number;
}

/** The input of a signature's check; signature (of 64 bytes) and message in hex. */
export interface SignatureCheck {
  readonly publicKey: Uint8Array;
  readonly signature: string;
  readonly message: string;
}

/** The reading of a block, its 64-bit values as decimal text. */
export interface BlockReading {
  readonly seq: string;
  readonly timestamp: string;
  readonly receivedAt: number;
  readonly keyVersion: number;
  /** By which clock it was received; 0: one that is known to be right. */
  readonly clock: number;
  readonly fields: StoredFields;
  /** Whether its signature and what was signed are kept with it. */
  readonly keepsSigned: boolean;
}

/** A block on its way to a store. */
export interface NewBlock {
  readonly check: SignatureCheck;
  /** The reading to store if the signature is good; null to check only the signature. */
  readonly reading: BlockReading | null;
}

/** The outcome for a reading. A `duplicate` was stored before; the device of an `unknown_device` is not registered. */
export type ReadingOutcome =
  /** `receivedAt`: as it was stored, moved where its clock was found to be wrong meanwhile. */
  { readonly kind: 'stored'; readonly receivedAt: number } | { readonly kind: 'duplicate' | 'unknown_device' };

/** The outcome for a block. */
export type BlockOutcome =
  | ReadingOutcome
  | { readonly kind: 'bad_signature' }
  /** Its signature is good, and it brought no reading. */
  | { readonly kind: 'signed' }
  /**
   * It may or may not be stored: the device has to send it again. The error is StorageUnavailable where the storage is at
   * fault.
   */
  | { readonly kind: 'refused'; readonly error: Error };
