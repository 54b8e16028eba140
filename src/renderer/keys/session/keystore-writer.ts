import type { OwnerApi } from '../../../shared/owner-api/contract.ts';
import { SerialQueue } from '../../../shared/serial-queue.ts';
import { type KeyFile, type Replaced, readKeyFile } from '../../api/queries/keystore.ts';
import { type FileProblem, KeySessionError, type KeysView } from '../types.ts';
import type { ChangeName, Changes, Staged } from '../worker/protocol.ts';
import { problemOf } from './file-state.ts';
import { isConflict, replaceKeyFile } from './key-file.ts';
import type { KeysWorker } from './worker-client.ts';

/** How often a change is retried after a conflict with another page's change. */
const TRIES = 3;

/** The functions of the session that writing needs. */
export interface OpenKeys {
  /** The worker of the unlocked keystore; null while it is locked. */
  readonly worker: () => KeysWorker | null;
  readonly problem: () => FileProblem | null;
  readonly show: (view: KeysView, problem?: FileProblem | null) => void;
  /** Called when the file on disk has another key. */
  readonly lock: () => void;
}

/** The keystore's file as this page knows it. All writes go through this class, one after another. */
export class KeystoreWriter {
  readonly #api: OwnerApi;
  readonly #keys: OpenKeys;
  /** Changes run one after another, each based on the result of the previous one. */
  readonly #queue = new SerialQueue();
  #file: KeyFile = { bytes: null, previous: null, revision: null };

  constructor(api: OwnerApi, keys: OpenKeys) {
    this.#api = api;
    this.#keys = keys;
  }

  /** The file as it was last read or written. */
  get file(): KeyFile {
    return this.#file;
  }

  /** The file's bytes. Throws KeySessionError `gone` if there is none. */
  get bytes(): Uint8Array {
    if (this.#file.bytes === null) throw new KeySessionError('gone');
    return this.#file.bytes;
  }

  /** Reads the file from the node. Rejects with an ApiError. */
  async reread(): Promise<KeyFile> {
    this.#file = await readKeyFile(this.#api);
    return this.#file;
  }

  /** Replaces the file of a revision. Rejects with an ApiError, or KeySessionError like `replaceKeyFile`. */
  async write(bytes: Uint8Array, expected: string | null, replaced: Replaced): Promise<void> {
    const revision = await replaceKeyFile(this.#api, bytes, expected, replaced);
    this.#file = { bytes, previous: this.#file.bytes, revision };
  }

  /** Runs a job after the pending changes. */
  inTurn<T>(job: () => Promise<T>): Promise<T> {
    return this.#queue.run(job);
  }

  /** Changes the contents and writes them. If another page changed the file meanwhile, it is read first. */
  change<N extends ChangeName>(name: N, input: Changes[N]['input']): Promise<Changes[N]['result']> {
    return this.stage((worker) => worker.ask('change', { name, input }) as Promise<Staged<Changes[N]['result']>>);
  }

  /** Writes what `stage` makes of the open keystore. Retries if another page changed the file meanwhile. */
  stage<T>(stage: (worker: KeysWorker) => Promise<Staged<T>>): Promise<T> {
    return this.#queue.run(() => this.#stageNow(stage));
  }

  /**
   * Rewrites the open keystore if its file is missing or damaged (a damaged one is moved aside). If there is a valid
   * file now, it is read instead.
   */
  save(): Promise<void> {
    return this.#queue.run(async () => {
      const worker = this.#open();
      const bytes = await worker.ask('file', {});
      try {
        await this.write(bytes, this.#file.revision, { replaceDamaged: this.#keys.problem() === 'damaged' });
      } catch (error) {
        if (!isConflict(error)) throw error;
        await this.takeOver(worker);
        return;
      }
      this.#keys.show(await worker.ask('settle', { isWritten: false }));
    });
  }

  /** While unlocked: rereads the file if it has changed on disk. Never rejects. */
  async sync(): Promise<void> {
    const look = async (): Promise<void> => {
      const worker = this.#keys.worker();
      if (worker === null) return;
      if ((await readKeyFile(this.#api)).revision !== this.#file.revision) await this.takeOver(worker);
    };
    await this.#queue.run(look).catch(() => {});
  }

  /**
   * Opens the file on disk with the current key. If the file is intact but the key no longer fits, the keys are locked.
   * If the file is missing, damaged or newer, the open keystore may be the last good copy, so it stays open: the
   * promise rejects, and the state says why.
   */
  async takeOver(worker: KeysWorker): Promise<void> {
    const { bytes } = await this.reread();
    const answer = bytes === null ? null : await worker.ask('reopen', { bytes });
    if (answer?.ok === true) {
      this.#keys.show(answer.view);
      return;
    }
    const problem = problemOf(answer);
    if (problem === null) {
      this.#keys.lock();
      throw new KeySessionError('changed');
    }
    this.#keys.show(await worker.ask('settle', { isWritten: false }), problem);
    throw new KeySessionError(`file_${problem}`);
  }

  #open(): KeysWorker {
    const worker = this.#keys.worker();
    if (worker === null) throw new KeySessionError('locked');
    return worker;
  }

  async #stageNow<T>(stage: (worker: KeysWorker) => Promise<Staged<T>>): Promise<T> {
    const worker = this.#open();
    for (let left = TRIES; ; left -= 1) {
      const { bytes, result } = await stage(worker);
      if (bytes === null) return result;
      try {
        await this.write(bytes, this.#file.revision, {});
      } catch (error) {
        if (!isConflict(error) || left <= 1) {
          this.#keys.show(await worker.ask('settle', { isWritten: false }), this.#keys.problem());
          throw error;
        }
        await this.takeOver(worker);
        continue;
      }
      this.#keys.show(await worker.ask('settle', { isWritten: true }));
      return result;
    }
  }
}
