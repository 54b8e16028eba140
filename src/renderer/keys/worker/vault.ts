import { hexToBytes } from '../../../shared/crypto/hex.ts';
import {
  fingerprintOf,
  keptSecrets,
  keysFor,
  notBackedUp,
  type ResolvedKey,
  withoutExpired,
} from '../../../shared/crypto/keyring/keyring.ts';
import { NonceRegistry } from '../../../shared/crypto/keyring/nonce-registry.ts';
import {
  type OpenKeystore,
  type OpenOutcome,
  openKeystore,
  saveContents,
  type WrittenKeystore,
  wipeKeystore,
} from '../../../shared/crypto/keystore/keystore.ts';
import type {
  FieldKeyEntry,
  KeystoreContents,
  StoredSecret,
} from '../../../shared/crypto/keystore/keystore-contents.ts';
import { MAX_LABEL_LENGTH } from '../../../shared/crypto/keystore/keystore-limits.ts';
import { type DerivedOwner, deriveOwner } from '../../../shared/crypto/phrase/owner-key.ts';
import { displayText } from '../../../shared/display-text.ts';
import { type FieldKeyView, type KeyDevice, KeySessionError, type KeysView, type SecretView } from '../types.ts';
import type { OpenAnswer, Staged } from './protocol.ts';

/**
 * The open keystore and the keys derived from it. A key leaves the vault only if the owner asks for it. Locking
 * terminates its worker.
 */
export class Vault {
  #open: WrittenKeystore | null = null;
  /** Contents that were returned to be written. They become the current ones after the write. */
  #staged: WrittenKeystore | null = null;
  /** By secret id. Deriving takes some tens of milliseconds per phrase. */
  readonly #owners = new Map<string, DerivedOwner>();
  readonly #nonces = new Map<string, NonceRegistry>();
  readonly #undo = new Map<string, (contents: KeystoreContents) => KeystoreContents>();

  get contents(): KeystoreContents {
    return this.keystore.contents;
  }

  get keystore(): OpenKeystore {
    if (this.#open === null) throw new KeySessionError('locked');
    return this.#open.keystore;
  }

  /** The file as it was last read or written. */
  get bytes(): Uint8Array {
    if (this.#open === null) throw new KeySessionError('locked');
    return this.#open.bytes;
  }

  get owners(): readonly DerivedOwner[] {
    return keptSecrets(this.contents).map((secret) => this.ownerOf(secret));
  }

  /** Replaces the open keystore with one that was just opened. */
  take(bytes: Uint8Array, outcome: OpenOutcome<'wrong_passphrase' | 'wrong_key'>): OpenAnswer {
    if (!outcome.ok) return outcome;
    this.#staged = null;
    this.#open = { bytes, keystore: outcome.keystore };
    return { ok: true, view: this.view() };
  }

  /** Stages a keystore until the caller tells whether it was written. */
  stage<T>(written: WrittenKeystore, result: T): Staged<T> {
    this.#staged = written;
    return { bytes: written.bytes, result };
  }

  /** Stages other contents of the open keystore. */
  stageContents<T>(contents: KeystoreContents, result: T): Staged<T> {
    if (contents === this.contents) return { bytes: null, result };
    return this.stage(this.#saved(withoutExpired(contents, Date.now())), result);
  }

  settle(isWritten: boolean): KeysView {
    const staged = this.#staged;
    this.#staged = null;
    if (isWritten && staged !== null) {
      const before = this.#open?.keystore;
      this.#open = staged;
      // Wipe the old key only if the passphrase changed. Otherwise the old and new keystore share its array.
      if (before !== undefined && before.dataKey !== staged.keystore.dataKey) wipeKeystore(before);
    }
    return this.view();
  }

  view(): KeysView {
    const { secrets, fieldKeys, settings } = this.contents;
    return {
      secrets: keptSecrets(this.contents).map((secret) => this.#secretView(secret)),
      removed: secrets.flatMap(({ id, label, kind, removedAt }) =>
        removedAt === undefined ? [] : [{ id, label: displayText(label, MAX_LABEL_LENGTH), kind, removedAt }],
      ),
      notBackedUp: notBackedUp(this.contents),
      fieldKeys: fieldKeys.map(fieldKeyView),
      lockAfterMinutes: settings.lockAfterMinutes,
      isRemembered: this.keystore.header.osWrap !== null,
    };
  }

  /** Returns the secret with an id. Throws KeySessionError `gone` if there is none. */
  secret(id: string): StoredSecret {
    const secret = keptSecrets(this.contents).find((each) => each.id === id);
    if (secret === undefined) throw new KeySessionError('gone');
    return secret;
  }

  /** Rejects with KeySessionError `wrong_passphrase` if this is not the keystore's passphrase. */
  async mustOpen(passphrase: string, onProgress: (done: number) => void = () => {}): Promise<void> {
    const outcome = await openKeystore(this.bytes, passphrase, { onProgress });
    if (!outcome.ok) throw new KeySessionError(outcome.reason);
    outcome.keystore.dataKey.fill(0);
  }

  ownerOf(secret: StoredSecret): DerivedOwner {
    let owner = this.#owners.get(secret.id);
    if (owner === undefined) {
      owner = deriveOwner(secret.id, secret);
      this.#owners.set(secret.id, owner);
    }
    return owner;
  }

  keysFor(device: KeyDevice, keyVersion: number): ResolvedKey[] {
    return keysFor(this.contents, this.owners, device, keyVersion);
  }

  noncesOf(deviceId: string): NonceRegistry {
    let nonces = this.#nonces.get(deviceId);
    if (nonces === undefined) {
      nonces = new NonceRegistry();
      this.#nonces.set(deviceId, nonces);
    }
    return nonces;
  }

  forgetNonces(deviceId: string): void {
    this.#nonces.delete(deviceId);
  }

  /** Keeps a function that undoes a change until the keys are locked. Returns its id. */
  keepUndo(undo: (contents: KeystoreContents) => KeystoreContents): string {
    const id = crypto.getRandomValues(new Uint32Array(2)).join('-');
    this.#undo.set(id, undo);
    return id;
  }

  undone(undoId: string): KeystoreContents {
    const undo = this.#undo.get(undoId);
    if (undo === undefined) throw new KeySessionError('gone');
    return undo(this.contents);
  }

  #saved(contents: KeystoreContents): WrittenKeystore {
    try {
      return saveContents(this.keystore, contents);
    } catch {
      // Changes always produce valid contents, except for too many entries or too large a file.
      throw new KeySessionError('too_large');
    }
  }

  #secretView(secret: StoredSecret): SecretView {
    const isPhrase = secret.kind === 'phrase';
    return {
      id: secret.id,
      // A restored file may contain any text.
      label: displayText(secret.label, MAX_LABEL_LENGTH),
      createdAt: secret.createdAt,
      kind: secret.kind,
      language: isPhrase ? secret.language : null,
      wordCount: isPhrase ? secret.phrase.split(' ').length : null,
      keys: this.ownerOf(secret).keys.map(({ derivation, publicKey }) => ({ derivation, publicKey })),
    };
  }
}

/** Returns an entry without its key. */
export function fieldKeyView({ deviceId, keyVersion, keyHex, source, addedAt }: FieldKeyEntry): FieldKeyView {
  return { deviceId, keyVersion, fingerprint: fingerprintOf(hexToBytes(keyHex)), source, addedAt };
}
