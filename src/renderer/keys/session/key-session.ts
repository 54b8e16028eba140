import type { OwnerApi } from '../../../shared/owner-api/contract.ts';
import { SerialQueue } from '../../../shared/serial-queue.ts';
import { StateStore } from '../../../shared/state-store.ts';
import { Subscribers } from '../../../shared/subscribers.ts';
import { desktop } from '../../api/desktop.ts';
import { errorCode } from '../../api/errors.ts';
import { type KeyFile, type Replaced, readKeyFile } from '../../api/queries/keystore.ts';
import type { ChangeName, Changes, OpenAnswer, OperationName, Operations, Staged } from '../worker/protocol.ts';
import { abortable } from './abortable.ts';
import { problemOf, stateAfterFailure, stateOfFile } from './file-state.ts';
import { isConflict, replaceKeyFile } from './key-file.ts';
import { openWithSystem, stageRemembered, stageRenewed } from './os-wrap.ts';
import { type FileProblem, KeySessionError, type KeySessionState, type KeysView, type LockReason } from './types.ts';
import { inspectFile, KeysWorker } from './worker-client.ts';

/** How often a change is retried after a conflict with another page's change. */
const TRIES = 3;

/**
 * The keys of this page: whether there is a keystore, and whether it is unlocked. Keys, seeds and phrases live in one
 * worker and never here; everything here may be shown. One per node: `keySessionOf` in page-keys.ts.
 */
export class KeySession {
  readonly #api: OwnerApi;
  readonly #store = new StateStore<KeySessionState>({ status: 'loading' });
  #file: KeyFile = { bytes: null, previous: null, revision: null };
  #worker: KeysWorker | null = null;
  /** Changes run one after another, each based on the result of the one before. */
  readonly #queue = new SerialQueue();
  readonly #lockListeners = new Subscribers<[reason: LockReason]>();
  readonly state = this.#store.get;
  /** Calls back on every change of the state. Returns a function that unsubscribes. */
  readonly subscribe = this.#store.subscribe;

  constructor(api: OwnerApi) {
    this.#api = api;
  }

  /**
   * Calls back when the keys are locked, before the state changes, so that opened values can be dropped. Returns a
   * function that unsubscribes.
   */
  onLock(listener: (reason: LockReason) => void): () => void {
    return this.#lockListeners.add(listener);
  }

  /** The contents without secrets; null while locked. */
  view(): KeysView | null {
    return this.#state.status === 'unlocked' ? this.#state.view : null;
  }

  /** Reads the file and updates the state; does nothing while unlocked. Never rejects. */
  async refresh(): Promise<void> {
    if (this.#isBusy()) return;
    try {
      await this.#readFile();
    } catch (error) {
      if (this.#isBusy()) return;
      // The worker's file could not be loaded from the node.
      this.#set({ status: 'unreadable', code: error instanceof KeySessionError ? 'disconnected' : errorCode(error) });
    }
  }

  /** Makes an empty keystore if there is none, or if the one that is there is damaged (it is moved aside). */
  async create(passphrase: string): Promise<void> {
    const replaceDamaged = this.#state.status === 'damaged';
    const revision = this.#file.revision;
    await this.#work(async (worker, onProgress) => {
      const { bytes } = await worker.ask('create', { passphrase }, onProgress);
      await this.#write(bytes!, revision, { replaceDamaged, keepReplaced: true });
      this.#setUnlocked(await worker.ask('settle', { isWritten: true }));
    });
  }

  /** Unlocks the keystore. Rejects with KeySessionError: `wrong_passphrase`, `damaged`, `newer_version`. */
  async unlock(passphrase: string): Promise<void> {
    await this.#work(async (worker, onProgress) => {
      await this.#reread();
      this.#opened(await worker.ask('open', { bytes: this.#bytes(), passphrase }, onProgress));
    });
    if (this.#isRemembered()) this.#renew();
  }

  /**
   * Unlocks the keystore with the key that the operating system remembers (desktop only). Rejects with `wrong_key` if
   * it can't.
   */
  async unlockWithSystem(): Promise<void> {
    let isToRenew = false;
    await this.#work(async (worker) => {
      await this.#reread();
      const { answer, isStale } = await openWithSystem(worker, this.#bytes());
      isToRenew = isStale;
      this.#opened(answer);
    });
    if (isToRenew) this.#renew();
  }

  /**
   * Replaces the keystore with another file and opens it: an export, or the one before a damaged one. The replaced
   * file is kept. Rejects with KeySessionError; then nothing was written.
   */
  restore(bytes: Uint8Array, passphrase: string, onProgress?: (done: number) => void): Promise<void> {
    return this.#queue.run(async () => {
      const before = this.#worker;
      const worker = this.#start();
      try {
        const answer = await worker.ask('open', { bytes, passphrase }, onProgress);
        if (!answer.ok) throw new KeySessionError(answer.reason);
        const replaceDamaged = this.#state.status === 'damaged' || this.#problem() === 'damaged';
        await this.#write(bytes, this.#file.revision, { replaceDamaged, keepReplaced: true });
        // The keys were locked meanwhile.
        if (this.#worker !== before) throw new KeySessionError('locked');
        if (before !== null) this.lock('command');
        this.#worker = worker;
        this.#setUnlocked(answer.view);
      } catch (error) {
        worker.end();
        if (isConflict(error)) {
          await (before !== null && before === this.#worker ? this.#takeOver(before) : this.refresh());
        }
        throw error;
      }
    });
  }

  /** The keystore before the last write, as bytes to `restore`; null where there is none. */
  previous(): Uint8Array | null {
    return this.#file.previous;
  }

  /** Locks immediately: terminates the worker with all keys, and opened values are dropped everywhere. */
  lock(reason: LockReason): void {
    if (this.#worker === null) return;
    this.#worker.end();
    this.#worker = null;
    const wasOpen = this.#state.status === 'unlocked';
    const isRemembered = this.#isRemembered();
    const problem = this.#problem();
    this.#lockListeners.tell(reason);
    this.#set({ status: 'locked', failure: null, lockedBy: reason, isRemembered });
    // Locked during unlocking: there may be no keystore at all.
    if ((!wasOpen || problem !== null) && reason !== 'closed') void this.refresh();
  }

  /**
   * Writes the open keystore again if its file is missing or damaged (a damaged one is moved aside). If there is a
   * valid file now, it is read instead.
   */
  save(): Promise<void> {
    return this.#queue.run(async () => {
      const bytes = await this.ask('file', {});
      const worker = this.#worker!;
      try {
        await this.#write(bytes, this.#file.revision, { replaceDamaged: this.#problem() === 'damaged' });
      } catch (error) {
        if (!isConflict(error)) throw error;
        await this.#takeOver(worker);
        return;
      }
      this.#setUnlocked(await worker.ask('settle', { isWritten: false }));
    });
  }

  /** While unlocked: reads the file again if it has changed on disk. Never rejects. */
  async sync(): Promise<void> {
    const look = async (): Promise<void> => {
      const worker = this.#worker;
      if (worker === null || this.#state.status !== 'unlocked') return;
      if ((await readKeyFile(this.#api)).revision !== this.#file.revision) await this.#takeOver(worker);
    };
    await this.#queue.run(look).catch(() => {});
  }

  /** Changes the contents and writes them. If another page changed the file meanwhile, it is read first. */
  change<N extends ChangeName>(name: N, input: Changes[N]['input']): Promise<Changes[N]['result']> {
    return this.#changing((worker) => worker.ask('change', { name, input }) as Promise<Staged<Changes[N]['result']>>);
  }

  /** Changes the passphrase. Rejects with `wrong_passphrase` if `current` is wrong. */
  async changePassphrase(current: string, next: string, onProgress?: (done: number) => void): Promise<void> {
    const wasRemembered = this.#isRemembered();
    await this.#changing((worker) => worker.ask('changePassphrase', { current, next }, onProgress));
    // There is a new data key. If the system does not take it, the switch shows that.
    if (wasRemembered) await this.remember(true).catch(() => {});
  }

  /**
   * Makes the operating system remember or forget the data key (desktop only). Rejects with `not_remembered` if it
   * refuses.
   */
  async remember(on: boolean): Promise<void> {
    await this.#changing((worker) => stageRemembered(worker, on));
  }

  /** The file on disk, for an export; null if there is none. */
  async file(): Promise<Uint8Array | null> {
    return (await readKeyFile(this.#api)).bytes;
  }

  /**
   * Asks the worker of the open keystore. Rejects with KeySessionError (`locked` if it is not open, or is locked
   * before the answer). An aborted `signal` rejects with its reason.
   */
  async ask<N extends OperationName>(
    name: N,
    input: Operations[N]['input'],
    signal?: AbortSignal,
  ): Promise<Operations[N]['output']> {
    signal?.throwIfAborted();
    if (this.#worker === null || this.#state.status !== 'unlocked') throw new KeySessionError('locked');
    return abortable(this.#worker.ask(name, input), signal);
  }

  /** Optional: if it fails, the passphrase still works. */
  #renew(): void {
    this.#changing((worker) => stageRenewed(worker, this.#bytes())).catch(() => {});
  }

  #isRemembered(): boolean {
    return this.view()?.isRemembered === true && desktop !== null;
  }

  #isBusy(): boolean {
    return this.#state.status === 'unlocked' || this.#state.status === 'unlocking';
  }

  get #state(): KeySessionState {
    return this.#store.get();
  }

  #set(state: KeySessionState): void {
    this.#store.set(state);
  }

  #setUnlocked(view: KeysView, problem: FileProblem | null = null): void {
    this.#set({ status: 'unlocked', view, problem });
  }

  #problem(): FileProblem | null {
    return this.#state.status === 'unlocked' ? this.#state.problem : null;
  }

  #bytes(): Uint8Array {
    if (this.#file.bytes === null) throw new KeySessionError('gone');
    return this.#file.bytes;
  }

  #start(): KeysWorker {
    const worker = new KeysWorker(() => {
      if (this.#worker === worker) this.lock('fault');
    });
    return worker;
  }

  async #reread(): Promise<void> {
    this.#file = await readKeyFile(this.#api);
  }

  /** Reads the file and sets the state that it means for a page without keys. */
  async #readFile(): Promise<void> {
    await this.#reread();
    const { bytes } = this.#file;
    const seen = bytes === null ? null : await inspectFile(bytes);
    if (this.#isBusy()) return;
    this.#set(stateOfFile(this.#file, seen, this.#state));
  }

  /** Runs an action that ends with the keystore unlocked, or restores the state from before. */
  async #work(run: (worker: KeysWorker, onProgress: (done: number) => void) => Promise<void>): Promise<void> {
    if (this.#isBusy()) throw new KeySessionError('internal_error');
    const before = this.#state;
    const worker = this.#start();
    this.#worker = worker;
    this.#set({ status: 'unlocking', progress: 0 });
    try {
      await run(worker, (progress) => {
        if (this.#worker === worker && this.#state.status === 'unlocking') this.#set({ status: 'unlocking', progress });
      });
    } catch (error) {
      // Locked meanwhile: the state is already set.
      if (this.#worker !== worker) throw error;
      worker.end();
      this.#worker = null;
      const code = error instanceof KeySessionError ? error.code : null;
      this.#set(stateAfterFailure(before, code, this.#file));
      if (code === 'changed' || code === 'gone') void this.refresh();
      throw error;
    }
  }

  #opened(answer: OpenAnswer): void {
    if (!answer.ok) throw new KeySessionError(answer.reason);
    this.#setUnlocked(answer.view);
  }

  async #write(bytes: Uint8Array, expected: string | null, replaced: Replaced): Promise<void> {
    const revision = await replaceKeyFile(this.#api, bytes, expected, replaced);
    this.#file = { bytes, previous: this.#file.bytes, revision };
  }

  #changing<T>(stage: (worker: KeysWorker) => Promise<Staged<T>>): Promise<T> {
    return this.#queue.run(() => this.#changeNow(stage));
  }

  async #changeNow<T>(stage: (worker: KeysWorker) => Promise<Staged<T>>): Promise<T> {
    const worker = this.#worker;
    if (worker === null || this.#state.status !== 'unlocked') throw new KeySessionError('locked');
    for (let left = TRIES; ; left -= 1) {
      const { bytes, result } = await stage(worker);
      if (bytes === null) return result;
      try {
        await this.#write(bytes, this.#file.revision, {});
      } catch (error) {
        if (!isConflict(error) || left <= 1) {
          this.#setUnlocked(await worker.ask('settle', { isWritten: false }), this.#problem());
          throw error;
        }
        await this.#takeOver(worker);
        continue;
      }
      this.#setUnlocked(await worker.ask('settle', { isWritten: true }));
      return result;
    }
  }

  /**
   * Opens the file on disk with the current key. If the file is whole but the key no longer fits, the keys are
   * locked. If the file is missing, damaged or newer, this may be the last good copy, so it is kept: the promise
   * rejects, and the state says why.
   */
  async #takeOver(worker: KeysWorker): Promise<void> {
    await this.#reread();
    const { bytes } = this.#file;
    const answer = bytes === null ? null : await worker.ask('reopen', { bytes });
    if (answer?.ok === true) {
      this.#setUnlocked(answer.view);
      return;
    }
    const problem = problemOf(answer);
    if (problem === null) {
      this.lock('changed_elsewhere');
      throw new KeySessionError('changed');
    }
    this.#setUnlocked(await worker.ask('settle', { isWritten: false }), problem);
    throw new KeySessionError(`file_${problem}`);
  }
}
