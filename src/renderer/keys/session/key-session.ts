import type { OwnerApi } from '../../../shared/owner-api/contract.ts';
import { StateStore } from '../../../shared/state-store.ts';
import { Subscribers } from '../../../shared/subscribers.ts';
import { desktop } from '../../api/desktop.ts';
import { errorCode } from '../../api/errors.ts';
import { readKeyFile } from '../../api/queries/keystore.ts';
import { type FileProblem, KeySessionError, type KeySessionState, type KeysView, type LockReason } from '../types.ts';
import type { ChangeName, Changes, OpenAnswer, OperationName, Operations } from '../worker/protocol.ts';
import { stateAfterFailure, stateOfFile } from './file-state.ts';
import { isConflict } from './key-file.ts';
import { KeystoreWriter } from './keystore-writer.ts';
import { openWithSystem, stageRemembered, stageRenewed } from './os-wrap.ts';
import { inspectFile, KeysWorker } from './worker-client.ts';

/**
 * The keys of this page: whether there is a keystore, and whether it is unlocked. Keys, seeds and phrases are in a
 * worker and never here; everything here may be shown. There is one session per node, see `keySessionOf` in
 * page-keys.ts.
 */
export class KeySession {
  readonly #api: OwnerApi;
  readonly #prove: () => Promise<void>;
  // A secure context is HTTPS, this machine itself, or the desktop app's own scheme.
  readonly #store = new StateStore<KeySessionState>({ status: isSecureContext ? 'loading' : 'insecure' });
  readonly #writer: KeystoreWriter;
  #worker: KeysWorker | null = null;
  #isRefreshed = false;
  readonly #lockListeners = new Subscribers<[reason: LockReason]>();
  readonly state = this.#store.get;
  /** Calls back at every change of the state. Returns a function that stops it. */
  readonly subscribe = this.#store.subscribe;

  /** `prove` makes the node prove its identity; see `NodeConnection`. */
  constructor(api: OwnerApi, prove: () => Promise<void>) {
    this.#api = api;
    this.#prove = prove;
    this.#writer = new KeystoreWriter(api, {
      worker: () => (this.#state.status === 'unlocked' ? this.#worker : null),
      problem: () => this.#problem(),
      show: (view, problem) => this.#setUnlocked(view, problem),
      lock: () => this.lock('changed_elsewhere'),
    });
  }

  /**
   * Calls back when the keys are locked, before the state changes, so that opened values can be dropped. Returns a
   * function that stops it.
   */
  onLock(listener: (reason: LockReason) => void): () => void {
    return this.#lockListeners.add(listener);
  }

  /** The contents without secrets; null while locked. */
  view(): KeysView | null {
    return this.#state.status === 'unlocked' ? this.#state.view : null;
  }

  /** Reads the file for the first time, unless `refresh` has been called before. Never rejects. */
  async load(): Promise<void> {
    if (!this.#isRefreshed) await this.refresh();
  }

  /** Reads the file and updates the state; does nothing while unlocked. Never rejects. */
  async refresh(): Promise<void> {
    this.#isRefreshed = true;
    if (this.#isBusy() || !isSecureContext) return;
    try {
      await this.#readFile();
    } catch (error) {
      if (this.#isBusy()) return;
      // The node did not answer the request for the worker's file.
      this.#set({ status: 'unreadable', code: error instanceof KeySessionError ? 'disconnected' : errorCode(error) });
    }
  }

  /** Creates an empty keystore if there is none, or if the existing one is damaged. The damaged one is moved aside. */
  async create(passphrase: string): Promise<void> {
    const replaceDamaged = this.#state.status === 'damaged';
    const { revision } = this.#writer.file;
    await this.#work(async (worker, onProgress) => {
      const { bytes } = await worker.ask('create', { passphrase }, onProgress);
      await this.#writer.write(bytes!, revision, { replaceDamaged, keepReplaced: true });
      this.#setUnlocked(await worker.ask('settle', { isWritten: true }));
    });
  }

  /** Unlocks the keystore. Rejects with KeySessionError `wrong_passphrase`, `damaged` or `newer_version`. */
  async unlock(passphrase: string): Promise<void> {
    await this.#work(async (worker, onProgress) => {
      await this.#writer.reread();
      this.#opened(await worker.ask('open', { bytes: this.#writer.bytes, passphrase }, onProgress));
    });
    if (this.#isRemembered()) this.#renew();
  }

  /**
   * Unlocks the keystore with the key that the operating system remembers (desktop only). Rejects with KeySessionError
   * `wrong_key` if that fails.
   */
  async unlockWithSystem(): Promise<void> {
    let isToRenew = false;
    await this.#work(async (worker) => {
      await this.#writer.reread();
      const { answer, isStale } = await openWithSystem(worker, this.#writer.bytes);
      isToRenew = isStale;
      this.#opened(answer);
    });
    if (isToRenew) this.#renew();
  }

  /**
   * Replaces the keystore with another file and opens it: an export, or the file before a damaged one. The replaced
   * file is kept. Rejects with KeySessionError; then nothing was written.
   */
  restore(bytes: Uint8Array, passphrase: string, onProgress?: (done: number) => void): Promise<void> {
    return this.#writer.inTurn(async () => {
      const before = this.#worker;
      await this.#prove();
      const worker = this.#start();
      try {
        const answer = await worker.ask('open', { bytes, passphrase }, onProgress);
        if (!answer.ok) throw new KeySessionError(answer.reason);
        const replaceDamaged = this.#state.status === 'damaged' || this.#problem() === 'damaged';
        await this.#writer.write(bytes, this.#writer.file.revision, { replaceDamaged, keepReplaced: true });
        // The keys were locked meanwhile.
        if (this.#worker !== before) throw new KeySessionError('locked');
        if (before !== null) this.lock('command');
        this.#worker = worker;
        this.#setUnlocked(answer.view);
      } catch (error) {
        worker.end();
        if (isConflict(error)) {
          await (before !== null && before === this.#worker ? this.#writer.takeOver(before) : this.refresh());
        }
        throw error;
      }
    });
  }

  /** Returns the keystore before the last write, as bytes for `restore`; null if there is none. */
  previous(): Uint8Array | null {
    return this.#writer.file.previous;
  }

  /** Locks the keys at once: terminates the worker with all keys, and makes all listeners drop opened values. */
  lock(reason: LockReason): void {
    if (this.#worker === null) return;
    this.#worker.end();
    this.#worker = null;
    const wasOpen = this.#state.status === 'unlocked';
    const isRemembered = this.#isRemembered();
    const problem = this.#problem();
    this.#lockListeners.tell(reason);
    this.#set({ status: 'locked', failure: null, lockedBy: reason, isRemembered });
    // Locked while unlocking: there may be no keystore at all.
    if ((!wasOpen || problem !== null) && reason !== 'closed') void this.refresh();
  }

  /** Rewrites the open keystore if its file is missing or damaged; see `KeystoreWriter`. */
  save(): Promise<void> {
    return this.#writer.save();
  }

  /** While unlocked: rereads the file if it has changed on disk. Never rejects. */
  sync(): Promise<void> {
    return this.#writer.sync();
  }

  /** Changes the contents and writes them. If another page changed the file meanwhile, it is read first. */
  change<N extends ChangeName>(name: N, input: Changes[N]['input']): Promise<Changes[N]['result']> {
    return this.#writer.change(name, input);
  }

  /** Changes the passphrase. Rejects with `wrong_passphrase` if `current` is wrong. */
  async changePassphrase(current: string, next: string, onProgress?: (done: number) => void): Promise<void> {
    const wasRemembered = this.#isRemembered();
    await this.#writer.stage((worker) => worker.ask('changePassphrase', { current, next }, onProgress));
    // There is a new data key. If the system refuses it, the switch shows that.
    if (wasRemembered) await this.remember(true).catch(() => {});
  }

  /**
   * Makes the operating system remember or forget the data key (desktop only). Rejects with `not_remembered` if it
   * refuses.
   */
  async remember(on: boolean): Promise<void> {
    await this.#writer.stage((worker) => stageRemembered(worker, on));
  }

  /** Returns the file on disk, for an export; null if there is none. */
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

  /** Updates the system's copy of the key. Optional: if it fails, the passphrase still works. */
  #renew(): void {
    this.#writer.stage((worker) => stageRenewed(worker, this.#writer.bytes)).catch(() => {});
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

  #start(): KeysWorker {
    if (!isSecureContext) throw new KeySessionError('insecure');
    const worker = new KeysWorker(() => {
      if (this.#worker === worker) this.lock('fault');
    });
    return worker;
  }

  /** Reads the file and sets the matching state of a page without keys. */
  async #readFile(): Promise<void> {
    await this.#prove();
    const file = await this.#writer.reread();
    const { bytes } = file;
    const seen = bytes === null ? null : await inspectFile(bytes);
    if (this.#isBusy()) return;
    this.#set(stateOfFile(file, seen, this.#state));
  }

  /** Runs an action that ends with an unlocked keystore. If it fails, restores the earlier state. */
  async #work(run: (worker: KeysWorker, onProgress: (done: number) => void) => Promise<void>): Promise<void> {
    if (this.#isBusy()) throw new KeySessionError('internal_error');
    const before = this.#state;
    this.#set({ status: 'unlocking', progress: 0 });
    // The worker gets the passphrase, so its program must come from the owner's node.
    await this.#prove().catch((error: unknown) => {
      this.#set(before);
      throw error;
    });
    const worker = this.#start();
    this.#worker = worker;
    try {
      await run(worker, (progress) => {
        if (this.#worker === worker && this.#state.status === 'unlocking') this.#set({ status: 'unlocking', progress });
      });
    } catch (error) {
      // The keys were locked meanwhile, so the state is already set.
      if (this.#worker !== worker) throw error;
      worker.end();
      this.#worker = null;
      const code = error instanceof KeySessionError ? error.code : null;
      this.#set(stateAfterFailure(before, code, this.#writer.file));
      if (code === 'changed' || code === 'gone') void this.refresh();
      throw error;
    }
  }

  #opened(answer: OpenAnswer): void {
    if (!answer.ok) throw new KeySessionError(answer.reason);
    this.#setUnlocked(answer.view);
  }
}

/** Rejects with the signal's reason as soon as it is aborted; the result of `promise` is then ignored. */
async function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
