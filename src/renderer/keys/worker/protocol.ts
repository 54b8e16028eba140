import type { KeyImport } from '../../../shared/crypto/keyring/key-import.ts';
import type { Language } from '../../../shared/crypto/phrase/languages.ts';
import type { ReadWord } from '../../../shared/crypto/phrase/read-phrase.ts';
import type { OpenedLines } from '../../../shared/proof/opened.ts';
import type {
  FieldKeyView,
  KeyDevice,
  KeyFault,
  KeysView,
  OpenedBatch,
  OpenedReadings,
  PublicOwnerKey,
  ResolvedKeyView,
  SealedItem,
  SealedReading,
} from '../types.ts';

/**
 * The calls between the page and the keys' worker. Passphrases and typed phrases go in. Of the stored secrets, only
 * those that the owner asks to see come out. Errors are codes.
 */

/** The result of opening a keystore. */
export type OpenAnswer =
  | { readonly ok: true; readonly view: KeysView }
  | { readonly ok: false; readonly reason: 'wrong_passphrase' | 'wrong_key' | 'damaged' | 'newer_version' };

/** A new or changed keystore: the `bytes` to write, and the result of the change. */
export interface Staged<T> {
  /** null if nothing changed, so that there is nothing to write. */
  readonly bytes: Uint8Array | null;
  readonly result: T;
}

/** The result of reading a typed phrase, without the normalised phrase. */
export interface PhraseReading {
  readonly words: readonly ReadWord[];
  readonly language: Language | null;
  readonly wrongWords: readonly number[];
  readonly isLengthRight: boolean;
  /** The languages in which it is valid, most likely first; empty if none. */
  readonly usable: readonly { readonly language: Language; readonly isChecksumRight: boolean }[];
}

/** A new phrase, which is shown once. */
export interface PhraseDraft {
  readonly draftId: string;
  readonly words: readonly string[];
}

/** A kept secret in clear, shown when the owner asks for it. */
export type RevealedSecret =
  | { readonly kind: 'phrase'; readonly words: readonly string[] }
  | { readonly kind: 'seed'; readonly seedHex: string };

/** A device on which the restore drill tests the typed phrase. */
export interface DrillDevice extends KeyDevice {
  /** Its newest sealed values. */
  readonly sealed: readonly Pick<SealedItem, 'keyVersion' | 'cipher' | 'nonce'>[];
}

/** The result of the restore drill. */
export interface DrillResult {
  /** Whether the typed secret derives the same public keys as the stored one. */
  readonly isSame: boolean;
  /** The public keys of the typed secret. */
  readonly keys: readonly PublicOwnerKey[];
  /** The devices whose owner key is derived from it, and how many of the given sealed values opened. */
  readonly devices: readonly { readonly id: string; readonly opened: number; readonly sealed: number }[];
}

/** The result of an import. If `errors` has entries, nothing was imported. */
export interface FieldKeyImport {
  readonly added: readonly FieldKeyView[];
  readonly same: readonly FieldKeyView[];
  /** Entries that exist with another key. They are replaced only with `replace`. */
  readonly conflicting: readonly FieldKeyView[];
  readonly errors: Extract<KeyImport, { ok: false }>['errors'];
  /** The id to undo the import; null if nothing changed. */
  readonly undoId: string | null;
}

/** A typed secret: a phrase in a language (words may be in several lists), or a seed in hex. */
export type TypedSecret =
  | { readonly kind: 'phrase'; readonly text: string; readonly language: Language | null }
  | { readonly kind: 'seed'; readonly seedHex: string };

/** The changes of the contents: input and result of each. */
export interface Changes {
  keepDraft: { input: { draftId: string; label: string }; result: { secretId: string } };
  keepTyped: { input: { secret: TypedSecret; label: string }; result: { secretId: string } };
  renameSecret: { input: { secretId: string; label: string }; result: null };
  /** The secret can be restored for thirty days. */
  removeSecret: { input: { secretId: string; passphrase: string }; result: null };
  restoreSecret: { input: { secretId: string }; result: null };
  /** Records that the paper copy of a secret was tested. */
  drilled: { input: { secretId: string }; result: null };
  /** Records that the file was exported. */
  exported: { input: Record<never, never>; result: null };
  /** Undoes a removal, an import or a replacement. */
  undo: { input: { undoId: string }; result: null };
  lockAfter: { input: { minutes: number }; result: null };
  importFieldKeys: {
    input: { text: string; context: { deviceId: string; keyVersion: number } | null; replace: boolean };
    result: FieldKeyImport;
  };
  /** Rotates a device's key; `seenVersions` are those of its readings. */
  addKeyVersion: { input: { device: KeyDevice; seenVersions: readonly number[] }; result: { entry: FieldKeyView } };
  removeFieldKey: { input: { deviceId: string; keyVersion: number }; result: { undoId: string } };
}
export type ChangeName = keyof Changes;

/** All calls: input and result of each. */
export interface Operations {
  /** Inspects a file without opening it. */
  inspect: {
    input: { bytes: Uint8Array };
    output: { state: 'intact' | 'damaged' | 'newer_version'; osWrap: Uint8Array | null };
  };
  /** Creates an empty keystore. It is staged like every change. */
  create: { input: { passphrase: string }; output: Staged<null> };
  open: { input: { bytes: Uint8Array; passphrase: string }; output: OpenAnswer };
  openWithKey: { input: { bytes: Uint8Array; dataKey: Uint8Array }; output: OpenAnswer };
  /** Opens a newer file with the current key, and drops staged contents. */
  reopen: { input: { bytes: Uint8Array }; output: OpenAnswer };
  /** The open keystore's file as it was last read or written. */
  file: { input: Record<never, never>; output: Uint8Array };
  change: { input: { name: ChangeName; input: unknown }; output: Staged<unknown> };
  /** The current passphrase is checked first. */
  changePassphrase: { input: { current: string; next: string }; output: Staged<null> };
  /** The data key, for the operating system to wrap. */
  dataKey: { input: Record<never, never>; output: Uint8Array };
  setOsWrap: { input: { wrapped: Uint8Array | null }; output: Staged<null> };
  /** Tells whether the staged bytes were written. Resolves with the current view. */
  settle: { input: { isWritten: boolean }; output: KeysView };
  createPhrase: { input: { language: Language; words: 12 | 24 }; output: PhraseDraft };
  /** Whether the words at these positions (from 0) of a draft are right; one boolean for each. */
  checkDraft: {
    input: { draftId: string; answers: readonly { at: number; word: string }[] };
    output: readonly boolean[];
  };
  dropDraft: { input: { draftId: string }; output: null };
  readPhrase: { input: { text: string; language: Language | null }; output: PhraseReading };
  reveal: { input: { secretId: string; passphrase: string }; output: RevealedSecret };
  drill: {
    input: { secretId: string; secret: TypedSecret; devices: readonly DrillDevice[] };
    output: DrillResult;
  };
  /** The backup key of a typed secret; needs no keystore. */
  backupKey: { input: { secret: TypedSecret }; output: { readonly recipient: string; readonly identity: string } };
  /** The identities that open backups made for a secret of the open keystore. They open nothing else. */
  keptBackupKeys: { input: Record<never, never>; output: readonly string[] };
  openReadings: { input: { device: KeyDevice; readings: readonly SealedReading[] }; output: OpenedReadings };
  /** Opens entries of readings for a proof and signs the values; null if no secret is that of the device's owner. */
  openForProof: { input: { device: KeyDevice; entries: readonly string[] }; output: OpenedLines | null };
  openSealed: { input: { device: KeyDevice; items: readonly SealedItem[] }; output: OpenedBatch };
  /** The keys to try at these versions, in order. */
  resolveKeys: { input: { device: KeyDevice; versions: readonly number[] }; output: readonly ResolvedKeyView[] };
  /** A field key in clear, as one line for the device; null if there is none. */
  deviceKeyText: { input: { device: KeyDevice; keyVersion: number; passphrase: string }; output: string | null };
  /** Must be called after the device's opened values were dropped. */
  forgetNonces: { input: { deviceId: string }; output: null };
}
export type OperationName = keyof Operations;

export interface Request<N extends OperationName = OperationName> {
  readonly id: number;
  readonly name: N;
  readonly input: Operations[N]['input'];
}

export type Response =
  | { readonly id: number; readonly progress: number }
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly code: KeyFault };
