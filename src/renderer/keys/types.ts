import type { OpenedBatch, OpenedReading, SealedItem } from '../../shared/crypto/keyring/opening.ts';
import type { FieldKeyEntry, StoredSecret } from '../../shared/crypto/keystore/keystore-contents.ts';
import type { Language } from '../../shared/crypto/phrase/languages.ts';
import type { Derivation } from '../../shared/crypto/phrase/owner-key.ts';
import type { OwnerReading } from '../../shared/owner-api/readings.ts';

/** The facts about the keys that the page may know. None of these types contains a phrase, a seed or a field key. */

/** A public key derived from a secret, and the derivation. */
export interface PublicOwnerKey {
  readonly derivation: Derivation;
  /** Lowercase hex, as devices register it (`ownerPubkey`). */
  readonly publicKey: string;
}

/** A kept phrase or seed, without its secret. */
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
  /** Two keys for a phrase, of the standard derivation and of the firmware's, in this order; one for a seed. */
  readonly keys: readonly PublicOwnerKey[];
}

/** A phrase or seed that was removed. */
export interface RemovedSecret extends Pick<SecretView, 'id' | 'label' | 'kind'> {
  /** Unix milliseconds. */
  readonly removedAt: number;
}

/** A field key that is kept in the keystore, without the key. */
export interface FieldKeyView {
  readonly deviceId: string;
  readonly keyVersion: number;
  /** First 8 hex digits of the SHA-256 of the key. */
  readonly fingerprint: string;
  readonly source: FieldKeyEntry['source'];
  readonly addedAt: number;
}

/** The contents of an unlocked keystore. Each change makes a new object, so that values are opened again. */
export interface KeysView {
  readonly secrets: readonly SecretView[];
  /** The secrets that were removed in the last thirty days and can be restored. */
  readonly removed: readonly RemovedSecret[];
  /**
   * When the secrets and field keys were added that are not backed up: not exported since, as far as the keystore
   * knows, and (for secrets) not tested from paper. Unix milliseconds.
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

/** A problem of the keystore's file while it was open in this page. */
export type FileProblem = 'missing' | 'damaged' | 'newer_version';

/** The state of the keys of this page. */
export type KeySessionState =
  /** The file has not been read yet. */
  | { readonly status: 'loading' }
  /** The file could not be read. `code` is that of an ApiError, for example `disconnected`. */
  | { readonly status: 'unreadable'; readonly code: string }
  /** The page came over plain HTTP from a network, so an attacker may read what is typed. Keys are never used. */
  | { readonly status: 'insecure' }
  /** There is no keystore. `hasPrevious`: the file before the last write exists. */
  | { readonly status: 'absent'; readonly hasPrevious: boolean }
  /** The file is damaged or not a keystore. `hasPrevious`: the file before the last write exists. */
  | { readonly status: 'damaged'; readonly hasPrevious: boolean }
  /** The file was written by a later Wellhouse. */
  | { readonly status: 'newer_version' }
  | {
      readonly status: 'locked';
      /** Why the last attempt to unlock failed. */
      readonly failure: 'wrong_passphrase' | 'wrong_key' | null;
      /** Why it was locked; null if it was not unlocked yet. */
      readonly lockedBy: LockReason | null;
      /** Whether the operating system can unlock it. */
      readonly isRemembered: boolean;
    }
  /** `progress` of deriving the key from the passphrase, from 0 to 1. */
  | { readonly status: 'unlocking'; readonly progress: number }
  | { readonly status: 'unlocked'; readonly view: KeysView; readonly problem: FileProblem | null };

/** Why an action on the keys failed. */
export type KeyFault =
  /** The keys are locked, or were locked during the action. */
  | 'locked'
  /** The keystore was changed elsewhere and has been reread. */
  | 'changed'
  /** The page came over plain HTTP from a network, so it uses no keys. */
  | 'insecure'
  | 'wrong_passphrase'
  | 'wrong_key'
  | 'damaged'
  | 'newer_version'
  /** The file was found in this state while the keystore was open. Nothing was written. */
  | `file_${FileProblem}`
  /** No keys can be derived from the phrase or seed. */
  | 'unusable_secret'
  /** This phrase or seed is already in the keystore. */
  | 'already_kept'
  /** The entry to change does not exist or no longer exists. */
  | 'gone'
  | 'too_large'
  /** All key versions up to 2^32-1 are used. */
  | 'no_version_left'
  /** The operating system refused to encrypt the data key. */
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

/** The facts about a device that the keyring needs. */
export interface KeyDevice {
  readonly id: string;
  readonly ownerPubkey: string;
}

/** A key that may open the fields of a device at one version, without its bytes. */
export interface ResolvedKeyView {
  readonly keyVersion: number;
  readonly fingerprint: string;
  readonly source: FieldKeyEntry['source'];
}

/** The part of a reading that opening needs. */
export type SealedReading = Pick<OwnerReading, 'seq' | 'receivedAt' | 'keyVersion' | 'fields'>;

/** The opened readings, in the order of the input. */
export type OpenedReadings = Omit<OpenedBatch, 'items'> & { readonly readings: readonly OpenedReading[] };

export type { OpenedBatch, OpenedReading, SealedItem };
