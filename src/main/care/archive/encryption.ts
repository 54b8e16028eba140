import type { Identity, Recipient } from 'age-encryption';
import { CareError } from '../care-error.ts';
import { type Bytes, webStream } from './bytes.ts';

/** The recipient of a backup's encryption; null if it is not encrypted. */
export type Lock =
  | { readonly kind: 'recipient'; readonly recipient: string }
  | { readonly kind: 'passphrase'; readonly passphrase: string }
  | null;

/** The key that opens a backup. `fileKey` is the key of that one file, which its writer has until it is checked. */
export type Opener =
  | { readonly kind: 'identity'; readonly identity: string }
  | { readonly kind: 'passphrase'; readonly passphrase: string }
  | { readonly kind: 'fileKey'; readonly fileKey: Uint8Array }
  | null;

/** How a file is encrypted, as its first bytes say. */
export type Encryption = 'none' | 'recipient' | 'passphrase';

const AGE_LINE = 'age-encryption.org/v1\n';
const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
/** As for the keystore: 128 MiB and half a second, which a small machine can spare. */
const LOG_N = 17;
/** A file that asks for more would take a gigabyte of memory and half a minute before its passphrase is known to be wrong. */
export const MOST_LOG_N = 18;
/** As many bytes tell how a file is encrypted. */
export const HEAD_BYTES = 64;

/** Loaded when there is something to encrypt: the node of a small machine runs for weeks without. */
const age = () => import('age-encryption');

/** How a file is encrypted that begins with these bytes. Throws CareError where it is no backup. */
export function encryptionOf(head: Uint8Array): Encryption {
  const bytes = Buffer.from(head);
  if (bytes.subarray(0, 4).equals(ZSTD_MAGIC)) return 'none';
  const text = bytes.toString('latin1');
  if (!text.startsWith(AGE_LINE))
    throw new CareError('not_a_backup', 'this is not a Wellhouse backup, or its beginning is damaged');
  if (!text.startsWith('-> scrypt ', AGE_LINE.length)) return 'recipient';
  const logN = /^-> scrypt \S+ (\d+)\n/.exec(text.slice(AGE_LINE.length))?.[1];
  // Without a number that is read here, the library would go by one that it reads.
  if (!(Number(logN) <= MOST_LOG_N))
    throw new CareError('not_a_backup', `the backup asks for more work than Wellhouse does (scrypt, 2^${logN ?? '?'})`);
  return 'passphrase';
}

/** Encrypts bytes; what opens them again, for whoever checks the file, is given to `onOpener` before the first byte. */
export async function* encrypted(bytes: Bytes, lock: Lock, onOpener: (opener: Opener) => void): Bytes {
  if (lock === null) {
    onOpener(null);
    yield* bytes;
    return;
  }
  const { Encrypter } = await age();
  const encrypter = new Encrypter();
  if (lock.kind === 'passphrase') {
    encrypter.setPassphrase(lock.passphrase);
    encrypter.setScryptWorkFactor(LOG_N);
    onOpener(lock);
  } else {
    encrypter.addRecipient(lock.recipient);
    // Adds nothing to the file.
    const witness: Recipient = {
      wrapFileKey: (fileKey) => {
        onOpener({ kind: 'fileKey', fileKey: Uint8Array.from(fileKey) });
        return [];
      },
    };
    encrypter.addRecipient(witness);
  }
  yield* await encrypter.encrypt(webStream(bytes[Symbol.asyncIterator]()));
}

/** Decrypts bytes. Throws CareError where that can't be done with what was given. */
export async function* decrypted(bytes: Bytes, encryption: Encryption, opener: Opener): Bytes {
  if (encryption === 'none') {
    yield* bytes;
    return;
  }
  const { Decrypter } = await age();
  const decrypter = new Decrypter();
  if (opener?.kind === 'fileKey') {
    const witness: Identity = { unwrapFileKey: () => opener.fileKey };
    decrypter.addIdentity(witness);
  } else if (encryption === 'recipient') {
    if (opener?.kind !== 'identity')
      throw new CareError('needs_key', "the backup is encrypted to its owner's phrase: give that phrase");
    decrypter.addIdentity(opener.identity);
  } else {
    if (opener?.kind !== 'passphrase')
      throw new CareError('needs_passphrase', 'the backup is encrypted with a passphrase: give it');
    decrypter.addPassphrase(opener.passphrase);
  }
  const source = bytes[Symbol.asyncIterator]();
  try {
    yield* await decrypter.decrypt(webStream(source));
  } catch (error) {
    if (isOfFile(error)) throw error;
    throw (error as Error).message.startsWith('no identity matched') ? notOpened(encryption) : damaged();
  } finally {
    // The library leaves a file that it can't open as it is.
    await source.return?.();
  }
}

function notOpened(encryption: Encryption): CareError {
  return encryption === 'passphrase'
    ? new CareError('wrong_passphrase', 'this passphrase does not open the backup')
    : new CareError(
        'wrong_key',
        "this phrase does not open the backup: it was made for another owner's phrase, or its first bytes are damaged",
      );
}

/** An error of the file system, or one that says what it means already. */
function isOfFile(error: unknown): boolean {
  return error instanceof CareError || typeof (error as NodeJS.ErrnoException).syscall === 'string';
}

const damaged = () => new CareError('damaged', 'the backup is damaged or cut off: it can’t be decrypted to its end');
