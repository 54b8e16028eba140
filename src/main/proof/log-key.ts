import { hash, type KeyObject, sign } from 'node:crypto';
import sodium from 'sodium-native';
import type { Sha256 } from '../../shared/proof/merkle.ts';
import { rootOf } from '../../shared/proof/merkle.ts';
import {
  checkpointText,
  formatNote,
  type NoteKey,
  SignatureType,
  signNote,
  type VerifyEd25519,
} from '../../shared/proof/note.ts';
import type { StoreName } from '../../shared/protocol/codes.ts';
import { keyFromIdentity } from '../data-folder/identity.ts';
import { publicKeyBytes } from '../data-folder/node-key.ts';
import type { StoreLog } from '../store/store-log.ts';

/** The purpose for which the log's key is derived. It must differ from that of the key that cosigns for others. */
const PURPOSE = 'wellhouse log key v1';

export const sha256: Sha256 = (data) => hash('sha256', data, 'buffer');

/** Checks as strictly as the check of an arriving block. */
export const verifyEd25519: VerifyEd25519 = (signature, message, publicKey) =>
  sodium.crypto_sign_verify_detached(Buffer.from(signature), Buffer.from(message), Buffer.from(publicKey));

/** Signs the checkpoints of a node's logs. */
export class LogSigner {
  /** The folder of the identity that it signs with. */
  readonly dataDir: string;
  readonly #key: KeyObject;
  readonly #nodeKey: string;

  /** Throws StartError if the folder's identity can't be read. */
  constructor(dataDir: string) {
    const { key, publicKey } = keyFromIdentity(dataDir, PURPOSE);
    this.dataDir = dataDir;
    this.#key = key;
    this.#nodeKey = publicKey;
  }

  /** Returns the key of a store's log; its name is the origin of the checkpoints. */
  keyOf(store: StoreName): NoteKey {
    const publicKey = publicKeyBytes(this.#key);
    return { name: `wellhouse/${this.#nodeKey}/${store}`, type: SignatureType.ED25519, publicKey };
  }

  /** Returns a signed checkpoint of the current log. */
  checkpoint(store: StoreName, log: StoreLog): string {
    const key = this.keyOf(store);
    const root = rootOf({ sha256, subtree: (level, position) => log.subtree(level, position) }, log.size);
    const text = checkpointText({ origin: key.name, size: log.size, root });
    return formatNote({ text, signatures: [signNote(sha256, text, key, (message) => sign(null, message, this.#key))] });
  }
}
