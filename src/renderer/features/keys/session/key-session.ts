import { getOsWrap } from '../../../api/client.ts';
import { errorCode } from '../../../api/errors.ts';
import type { ChangeName, Changes, OpenAnswer, OperationName, Operations, Staged } from '../worker/protocol.ts';
import { abortable } from './abortable.ts';
import { problemOf, stateAfterFailure, stateOfFile } from './file-state.ts';
import { isConflict, type KeyFile, type Replaced, readKeyFile, writeKeyFile } from './key-file.ts';
import { openWithSystem, stageRemembered, stageRenewed } from './os-wrap.ts';
import { StateStore } from './state-store.ts';
import { Turns } from './turns.ts';
import { type FileProblem, KeySessionError, type KeySessionState, type KeysView, type LockReason } from './types.ts';
import { inspectFile, KeysWorker } from './worker-client.ts';

/** A change meets another page's at most so often before it gives up. */
const TRIES = 3;

/**
 * The keys of this page: whether there is a keystore, and whether it is open. Keys, seeds and kept phrases live in one
 * worker and never here; what is here may be shown. One for the whole page: `keySession` in page-keys.ts.
 */
export class KeySession {
  readonly #store = new StateStore<KeySessionState>({ status: 'loading' });
  #file: KeyFile = { bytes: null, previous: null, revision: null };
  #worker: KeysWorker | null = null;
  /** Changes run one after another: each is made of what the one before left. */
  readonly #turns = new Turns();
  readonly #lockListeners = new Set<(reason: LockReason) => void>();
  readonly state = this.#store.get;
  /** Told of every change of the state. Returns what ends it. */
  readonly subscribe = this.#store.subscribe;

  /**
   * Told when the keys are locked, at once and before the state says so: drop every opened value. Returns what ends it.
   */
  onLock(listener: (reason: LockReason) => void): () => void {
    this.#lockListeners.add(listener);
    return () => this.#lockListeners.delete(listener);
  }

  /** What is kept; null while locked. */
  view(): KeysView | null {
    return this.#state.status === 'unlocked' ? this.#state.view : null;
  }

  /** Reads the file and says what it is; while unlocked it does nothing. Never rejects: the state tells. */
  async refresh(): Promise<void> {
    if (this.#isBusy()) return;
    try {
      await this.#readFile();
    } catch (error) {
      if (this.#isBusy()) return;
      // A worker that does not start is a part of the program that the node did not answer.
      this.#set({ status: 'unreadable', code: error instanceof KeySessionError ? 'disconnected' : errorCode(error) });
    }
  }

  /** Makes an empty keystore, where there is none, or where what is there is damaged (it is moved aside). */
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

  /** Unlocks the keystore with what the operating system remembers (desktop only). `wrong_key` where it can't. */
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
   * Puts another keystore file in the place of the one there, and opens it: an export, or the one before a damaged one.
   * What was there is kept beside it. Rejects with KeySessionError, and then nothing was written and all is as before.
   */
  restore(bytes: Uint8Array, passphrase: string, onProgress?: (done: number) => void): Promise<void> {
    return this.#turns.run(async () => {
      const before = this.#worker;
      const worker = this.#start();
      try {
        const answer = await worker.ask('open', { bytes, passphrase }, onProgress);
        if (!answer.ok) throw new KeySessionError(answer.reason);
        const replaceDamaged = this.#state.status === 'damaged' || this.#problem() === 'damaged';
        await this.#write(bytes, this.#file.revision, { replaceDamaged, keepReplaced: true });
        // Locked meanwhile.
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

  /** Locks at once: the worker ends with every key in it, and opened values are dropped everywhere. */
  lock(reason: LockReason): void {
    if (this.#worker === null) return;
    this.#worker.end();
    this.#worker = null;
    const wasOpen = this.#state.status === 'unlocked';
    const isRemembered = this.#isRemembered();
    const problem = this.#problem();
    for (const listener of this.#lockListeners) listener(reason);
    this.#set({ status: 'locked', failure: null, lockedBy: reason, isRemembered });
    // Broken off while it unlocked: there may be no keystore at all.
    if ((!wasOpen || problem !== null) && reason !== 'closed') void this.refresh();
  }

  /**
   * Writes what is open again, where its file is missing or damaged; a damaged one is moved aside. What is there meanwhile
   * is taken over instead, as a change does it.
   */
  save(): Promise<void> {
    return this.#turns.run(async () => {
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

  /** While unlocked: takes over what lies on disk, where that is not what this page knows. Never rejects: the state tells. */
  async sync(): Promise<void> {
    const look = async (): Promise<void> => {
      const worker = this.#worker;
      if (worker === null || this.#state.status !== 'unlocked') return;
      if ((await readKeyFile()).revision !== this.#file.revision) await this.#takeOver(worker);
    };
    await this.#turns.run(look).catch(() => {});
  }

  /** Changes what is kept and writes it. A change that was made elsewhere meanwhile is read first. */
  change<N extends ChangeName>(name: N, input: Changes[N]['input']): Promise<Changes[N]['result']> {
    return this.#changing((worker) => worker.ask('change', { name, input }) as Promise<Staged<Changes[N]['result']>>);
  }

  /** Puts the keystore under another passphrase. Rejects with `wrong_passphrase` where `current` is not it. */
  async changePassphrase(current: string, next: string, onProgress?: (done: number) => void): Promise<void> {
    const wasRemembered = this.#isRemembered();
    await this.#changing((worker) => worker.ask('changePassphrase', { current, next }, onProgress));
    // There is a new data key. The switch shows where the system does not take it.
    if (wasRemembered) await this.remember(true).catch(() => {});
  }

  /** Lets the operating system remember the data key, or forget it (desktop only). `not_remembered` where it refuses. */
  async remember(on: boolean): Promise<void> {
    await this.#changing((worker) => stageRemembered(worker, on));
  }

  /** The file as it lies on disk, for an export; null where there is none. */
  async file(): Promise<Uint8Array | null> {
    return (await readKeyFile()).bytes;
  }

  /**
   * Asks the worker of the open keystore; rejects with KeySessionError, `locked` where it is not open or is locked before
   * the answer. An aborted `signal` rejects with its reason at once.
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

  /** A comfort beside what was asked for: a failure leaves the passphrase as the way in. */
  #renew(): void {
    this.#changing((worker) => stageRenewed(worker, this.#bytes())).catch(() => {});
  }

  #isRemembered(): boolean {
    return this.view()?.isRemembered === true && getOsWrap() !== null;
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
    this.#file = await readKeyFile();
  }

  /** Reads the file and sets the state that it means for a page without keys. */
  async #readFile(): Promise<void> {
    await this.#reread();
    const { bytes } = this.#file;
    const seen = bytes === null ? null : await inspectFile(bytes);
    if (this.#isBusy()) return;
    this.#set(stateOfFile(this.#file, seen, this.#state));
  }

  /** Something long that ends with the keystore open, or with the state from before. */
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
      // Locked meanwhile: the state says so already.
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
    const revision = await writeKeyFile(bytes, expected, replaced);
    this.#file = { bytes, previous: this.#file.bytes, revision };
  }

  #changing<T>(stage: (worker: KeysWorker) => Promise<Staged<T>>): Promise<T> {
    return this.#turns.run(() => this.#changeNow(stage));
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
   * Opens what lies on disk with the key in hand. Where the file is whole and the key does not fit it any more, the keys
   * are locked. A file that is missing, damaged or newer is no reason to drop what may be the last good copy: rejects with
   * what it is, and the state says so, too.
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
