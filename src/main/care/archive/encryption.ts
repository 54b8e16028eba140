import type { Identity, Recipient } from 'age-encryption';
import { CareError } from '../care-error.ts';
import { type Bytes, webStream } from './bytes.ts';

/** The recipient of a backup's encryption; null if it is not encrypted. */
export type Lock =
  | { readonly kind: 'recipient'; readonly recipient: string }
  | { readonly kind: 'passphrase'; readonly passphrase: string }
  | null;

/** The key that opens a backup. `fileKey` is the key of one file; its writer keeps it until the file is checked. */
export type Opener =
  | { readonly kind: 'identity'; readonly identity: string }
  | { readonly kind: 'passphrase'; readonly passphrase: string }
  | { readonly kind: 'fileKey'; readonly fileKey: Uint8Array }
  | null;

/** The encryption of a file, as its first bytes say. */
export type Encryption = 'none' | 'recipient' | 'passphrase';

const AGE_LINE = 'age-encryption.org/v1\n';
const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
/** The same cost as for the keystore: 128 MiB and half a second, which is acceptable on a small machine. */
const LOG_N = 17;
/**
 * The largest accepted cost. More would take a gigabyte of memory and half a minute before a wrong passphrase is
 * detected.
 */
export const MOST_LOG_N = 18;
/** The number of bytes that show how a file is encrypted. */
export const HEAD_BYTES = 64;

/** Loaded on demand: the node of a small machine runs for weeks without it. */
const age = () => import('age-encryption');

/** Returns the encryption of a file from its first bytes. Throws CareError if it is not a backup. */
export function encryptionOf(head: Uint8Array): Encryption {
  const bytes = Buffer.from(head);
  if (bytes.subarray(0, 4).equals(ZSTD_MAGIC)) return 'none';
  const text = bytes.toString('latin1');
  if (!text.startsWith(AGE_LINE))
    throw new CareError('not_a_backup', 'this is not a Wellhouse backup, or its beginning is damaged');
  if (!text.startsWith('-> scrypt ', AGE_LINE.length)) return 'recipient';
  const logN = /^-> scrypt \S+ (\d+)\n/.exec(text.slice(AGE_LINE.length))?.[1];
  // If the number is not readable here, the library could read another one.
  if (!(Number(logN) <= MOST_LOG_N))
    throw new CareError('not_a_backup', `the backup asks for more work than Wellhouse does (scrypt, 2^${logN ?? '?'})`);
  return 'passphrase';
}

/** Encrypts bytes. Before the first byte, `onOpener` gets the key that opens them again, for the check of the file. */
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
    // This recipient adds nothing to the file.
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

/** Decrypts bytes. Throws CareError if `opener` can't decrypt them. */
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
    // The library does not close a file that it can't open.
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

/** Returns whether an error is a CareError or an error of the file system. */
function isOfFile(error: unknown): boolean {
  return error instanceof CareError || typeof (error as NodeJS.ErrnoException).syscall === 'string';
}

const damaged = () => new CareError('damaged', 'the backup is damaged or cut off: it can’t be decrypted to its end');
