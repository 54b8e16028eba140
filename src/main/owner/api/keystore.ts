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
 * The owner's keystore on disk: an opaque file of which this node knows the magic, the version and the checksum, and
 * never a key. Calls run one after another. Errors and logs tell nothing of the contents.
 */
export class KeystoreFile {
  readonly #folder: StateFolder;
  readonly #jobs = new SerialQueue();

  constructor(folder: StateFolder) {
    this.#folder = folder;
  }

  /** The file as it is, and the one before. Throws OwnerError where the disk fails. */
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
   * Replaces the file, so that a crash at any time leaves the old one or the new one under its name, and keeps the old
   * one beside it. Writing what is there already changes nothing, so that a call may be repeated when its answer was
   * lost. Throws OwnerError: `invalid_input` where the blob is no intact keystore, `conflict` as the contract says.
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
      // Its keys may still be saved from it: by other means, a newer version, or the passphrase that comes back.
      if (current !== null) await this.#put(this.#freeName(isDamaged ? 'damaged' : 'replaced'), current);
      await this.#startOver(bytes);
      return { revision };
    });
  }

  /** Resolves once nothing is under way. */
  async settled(): Promise<void> {
    await this.#jobs.settled();
  }

  #path(suffix = ''): string {
    return join(this.#folder.path, `${FILE_NAME}${suffix}`);
  }

  /**
   * Writes a keystore that continues no earlier one. The previous file then belongs to another keystore, and the next
   * write would overwrite it. It may be the last copy of an owner's keys, so it gets a name that nothing is written to.
   */
  async #startOver(bytes: Uint8Array): Promise<void> {
    const previous = readRegularFile(this.#path('.previous'));
    const isToKeep = previous !== null && !previous.equals(bytes);
    if (isToKeep) await this.#put(this.#freeName('kept'), previous);
    await this.#put(this.#path(), bytes);
    // Last, so that a crash before leaves it where it is offered.
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

/** Whether this version wrote the file, or could have: a later one may hold more than this one would keep. */
function isKnown(bytes: Uint8Array): boolean {
  return isIntact(bytes) && versionOf(bytes) <= KEYSTORE_VERSION;
}

function revisionOf(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : createHash('sha256').update(bytes).digest('hex');
}
