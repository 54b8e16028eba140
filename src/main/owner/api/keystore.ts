import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isIntact, KEYSTORE_VERSION, versionOf } from '../../../shared/crypto/keystore/keystore-format.ts';
import type { Input, Output } from '../../../shared/owner-api/contract.ts';
import { SerialQueue } from '../../../shared/serial-queue.ts';
import { OwnerError } from '../../common/owner-error.ts';
import { StartError } from '../../common/start-error.ts';
import { freeNameBeside, type StateFolder } from '../../state-files/aside.ts';
import { readRegularFile, writeRegularFile } from '../../state-files/regular-file.ts';

const FILE_NAME = 'keystore.wellhouse';

/**
 * The owner's keystore on disk. The file is opaque: this node knows its magic, version and checksum, but never a key.
 * Calls run one after another. Errors and logs reveal nothing of the contents.
 */
export class KeystoreFile {
  readonly #folder: StateFolder;
  readonly #jobs = new SerialQueue();

  constructor(folder: StateFolder) {
    this.#folder = folder;
  }

  /** Returns the current file and the previous one. Throws OwnerError if the disk fails. */
  read(): Promise<Output<'readKeystore'>> {
    return this.#inTurn(async () => {
      const current = readRegularFile(this.#path());
      const previous = readRegularFile(this.#path('.previous'));
      return {
        blob: current?.toString('base64') ?? null,
        previous: previous?.toString('base64') ?? null,
        revision: revisionOf(current),
      };
    });
  }

  /**
   * Replaces the file and keeps the old one next to it. A crash at any time leaves the old or the new file under the
   * name. Writing the present contents again changes nothing, so a call whose answer was lost can be repeated. Throws
   * OwnerError: `invalid_input` if the blob is not an intact keystore, `conflict` as the contract says.
   */
  write(input: Input<'writeKeystore'>): Promise<Output<'writeKeystore'>> {
    const { blob, expectedRevision, replaceDamaged, keepReplaced } = input;
    const bytes = Buffer.from(blob, 'base64');
    return this.#inTurn(async () => {
      if (!isIntact(bytes)) throw new OwnerError('invalid_input', 'blob: no intact keystore');
      const revision = revisionOf(bytes);
      const current = readRegularFile(this.#path());
      if (current?.equals(bytes)) return { revision };
      if (revisionOf(current) !== expectedRevision) throw new OwnerError('conflict', 'changed');
      const isDamaged = current !== null && !isKnown(current);
      if (isDamaged && !replaceDamaged) throw new OwnerError('conflict', 'damaged');
      if (current !== null && !isDamaged && !keepReplaced) {
        await this.#put(this.#path('.previous'), current);
        await this.#put(this.#path(), bytes);
        return { revision };
      }
      // The keys in the old file may still be recovered: by other means, with a newer version, or when the owner
      // remembers the passphrase.
      if (current !== null) await this.#put(this.#freeName(isDamaged ? 'damaged' : 'replaced'), current);
      await this.#startOver(bytes);
      return { revision };
    });
  }

  /** Resolves when no call is running. */
  async settled(): Promise<void> {
    await this.#jobs.settled();
  }

  #path(suffix = ''): string {
    return join(this.#folder.path, `${FILE_NAME}${suffix}`);
  }

  /**
   * Writes a keystore that does not continue an earlier one. The previous file then belongs to another keystore, and
   * the next write would overwrite it. It may be the last copy of an owner's keys, so it gets a name that no write
   * uses.
   */
  async #startOver(bytes: Uint8Array): Promise<void> {
    const previous = readRegularFile(this.#path('.previous'));
    const isToKeep = previous !== null && !previous.equals(bytes);
    if (isToKeep) await this.#put(this.#freeName('kept'), previous);
    await this.#put(this.#path(), bytes);
    // This is the last step, so that a crash before it leaves the file where the owner can choose it.
    if (isToKeep) await rm(this.#path('.previous'));
  }

  #freeName(kind: 'damaged' | 'replaced' | 'kept'): string {
    return freeNameBeside(this.#path(), kind, this.#folder.now());
  }

  #put(path: string, bytes: Uint8Array): Promise<void> {
    return writeRegularFile(path, bytes, this.#path('.new'));
  }

  #inTurn<T>(job: () => Promise<T>): Promise<T> {
    const inTurn = this.#jobs.run(job);
    return inTurn.catch((error: unknown) => {
      if (error instanceof OwnerError) throw error;
      if (error instanceof StartError) throw new OwnerError('storage_unavailable', error.message);
      const { code } = error as NodeJS.ErrnoException;
      throw new OwnerError('storage_unavailable', `the keystore file can't be used (${code ?? 'unknown fault'})`);
    });
  }
}

/**
 * Returns whether this version could have written the file. The file of a later version may have contents that this one
 * would lose.
 */
function isKnown(bytes: Uint8Array): boolean {
  return isIntact(bytes) && versionOf(bytes) <= KEYSTORE_VERSION;
}

function revisionOf(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : createHash('sha256').update(bytes).digest('hex');
}
