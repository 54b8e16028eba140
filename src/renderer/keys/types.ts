import type { OpenedBatch, OpenedReading, SealedItem } from '../../shared/crypto/keyring/opening.ts';
import type { FieldKeyEntry, StoredSecret } from '../../shared/crypto/keystore/keystore-contents.ts';
import type { Language } from '../../shared/crypto/phrase/languages.ts';
import type { Derivation } from '../../shared/crypto/phrase/owner-key.ts';
import type { OwnerReading } from '../../shared/owner-api/readings.ts';

/** The facts about the keys that the page may know: none of these types contains a phrase, a seed or a field key. */

/** A public key derived from a secret, and the derivation. */
export interface PublicOwnerKey {
  readonly derivation: Derivation;
  /** Lowercase hex, as devices register it (`ownerPubkey`). */
  readonly publicKey: string;
}

/** A phrase or a seed that is kept, without the phrase or the seed. */
export interface SecretView {
  readonly id: string;
  /** The owner's name for it; may be empty. */
  readonly label: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly kind: StoredSecret['kind'];
  /** null for a seed. */
  readonly language: Language | null;
  /** null for a seed. */
  readonly wordCount: number | null;
  /** Standard and firmware of a phrase, in this order; one of a seed. */
  readonly keys: readonly PublicOwnerKey[];
}

/** A phrase or seed that was removed. */
export interface RemovedSecret extends Pick<SecretView, 'id' | 'label' | 'kind'> {
  /** Unix milliseconds. */
  readonly removedAt: number;
}

/** A field key that is kept as such, without the key. */
export interface FieldKeyView {
  readonly deviceId: string;
  readonly keyVersion: number;
  /** First 8 hex digits of the SHA-256 of the key. */
  readonly fingerprint: string;
  readonly source: FieldKeyEntry['source'];
  readonly addedAt: number;
}

/** The contents of an unlocked keystore. A new object after every change, so that values are opened again. */
export interface KeysView {
  readonly secrets: readonly SecretView[];
  /** The entries that were removed in the last thirty days, and can be put back. */
  readonly removed: readonly RemovedSecret[];
  /**
   * When the secrets and field keys were added that were neither exported since, as far as the keystore knows, nor, of
   * secrets, tried from paper. Unix milliseconds.
   */
  readonly notBackedUp: { readonly secrets: readonly number[]; readonly fieldKeys: readonly number[] };
  readonly fieldKeys: readonly FieldKeyView[];
  /** Idle minutes until the keys are locked; 0: never. */
  readonly lockAfterMinutes: number;
  /** Whether the operating system remembers the data key. */
  readonly isRemembered: boolean;
}

/** Why the keys were locked. */
export type LockReason = 'command' | 'idle' | 'suspend' | 'closed' | 'changed_elsewhere' | 'fault';

/** An event of the keystore's file while it was open in this page. */
export type FileProblem = 'missing' | 'damaged' | 'newer_version';

/** The state of the keys of this page. */
export type KeySessionState =
  /** The file has not been read yet. */
  | { readonly status: 'loading' }
  /** The file could not be read: `code` of an ApiError, `disconnected` for one. */
  | { readonly status: 'unreadable'; readonly code: string }
  /** The page came unprotected over a network: what is typed here may reach somebody else. Keys are never used. */
  | { readonly status: 'insecure' }
  /** There is no keystore. `hasPrevious`: the one before the last write exists. */
  | { readonly status: 'absent'; readonly hasPrevious: boolean }
  /** The file is not a keystore, or is damaged. `hasPrevious`: the one before the last write exists. */
  | { readonly status: 'damaged'; readonly hasPrevious: boolean }
  /** The file was written by a later Wellhouse. */
  | { readonly status: 'newer_version' }
  | {
      readonly status: 'locked';
      /** Why the last attempt to unlock failed. */
      readonly failure: 'wrong_passphrase' | 'wrong_key' | null;
      /** Why it was locked; null: not unlocked yet. */
      readonly lockedBy: LockReason | null;
      /** Whether the operating system can unlock it. */
      readonly isRemembered: boolean;
    }
  /** `progress` of deriving the key from the passphrase, 0 to 1. */
  | { readonly status: 'unlocking'; readonly progress: number }
  | { readonly status: 'unlocked'; readonly view: KeysView; readonly problem: FileProblem | null };

/** Why an action on the keys failed. */
export type KeyFault =
  /** The keys are locked, or were locked while it was under way. */
  | 'locked'
  /** The keystore was changed elsewhere; it was read again. */
  | 'changed'
  /** The page came unprotected over a network, so no keys are used in it. */
  | 'insecure'
  | 'wrong_passphrase'
  | 'wrong_key'
  | 'damaged'
  | 'newer_version'
  /** The file was found in this state while its contents were open; nothing was written. */
  | `file_${FileProblem}`
  /** The phrase or seed can't be derived from. */
  | 'unusable_secret'
  /** This phrase or seed is kept already. */
  | 'already_kept'
  /** The entry to change does not exist (any more). */
  | 'gone'
  | 'too_large'
  /** Every key version up to 2^32-1 is used up. */
  | 'no_version_left'
  /** The operating system does not seal the data key. */
  | 'not_remembered'
  | 'internal_error';

/** A failed action on the keys. Its message is its code, so it never contains a secret. */
export class KeySessionError extends Error {
  readonly code: KeyFault;

  constructor(code: KeyFault) {
    super(code);
    this.name = 'KeySessionError';
    this.code = code;
  }
}

/** A device as the keyring needs to know it. */
export interface KeyDevice {
  readonly id: string;
  readonly ownerPubkey: string;
}

/** A key that may open the fields of a device at one version, without the key. */
export interface ResolvedKeyView {
  readonly keyVersion: number;
  readonly fingerprint: string;
  readonly source: FieldKeyEntry['source'];
}

/** The part of a reading that opening needs. */
export type SealedReading = Pick<OwnerReading, 'seq' | 'receivedAt' | 'keyVersion' | 'fields'>;

/** Readings after opening, parallel to what was given. */
export type OpenedReadings = Omit<OpenedBatch, 'items'> & { readonly readings: readonly OpenedReading[] };

export type { OpenedBatch, OpenedReading, SealedItem };
