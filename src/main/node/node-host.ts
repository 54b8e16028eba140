import { resolve } from 'node:path';
import type { Logger } from 'pino';
import type { RestoreHealth } from '../../shared/care/health.ts';
import type { NodeState } from '../../shared/node-state.ts';
import type { Answer, MethodName, Output } from '../../shared/owner-api/contract.ts';
import type { Move, MoveProblem } from '../../shared/owner-api/moving.ts';
import type { SettingChange } from '../../shared/owner-api/settings.ts';
import { SerialQueue } from '../../shared/serial-queue.ts';
import { CHANGEABLE_NAMES, SETTINGS, type ShownName } from '../../shared/settings/table.ts';
import { Subscribers } from '../../shared/subscribers.ts';
import type { Care } from '../care/care.ts';
import { SYSTEM_CLOCK } from '../common/clock.ts';
import { StartError, startProblemOf } from '../common/start-error.ts';
import { DataChoice } from '../data-folder/data-choice.ts';
import type { OwnFiles } from '../data-folder/own-files.ts';
import { localAddress } from '../http/listeners/local-listener.ts';
import { publicAddress } from '../http/listeners/public-listener.ts';
import { probe } from '../http/listening.ts';
import { type JsonAnswer, OwnerCalls } from '../owner/api/calls.ts';
import type { OnEvent } from '../owner/api/events.ts';
import type { OutsideChange } from '../owner/api/host.ts';
import { hostHandlers } from '../owner/api/host-handlers.ts';
import { type Caller, LOCAL_OWNER } from '../owner/caller.ts';
import type { Handlers, HostMethod } from '../owner/handlers.ts';
import { ProgramSettings } from '../settings/program-settings.ts';
import type { Environment, Settings } from '../settings/settings.ts';
import { DamagedFiles } from '../state-files/damaged-files.ts';
import { type CaringHost, cameUp, careOf, recordIn, undoHintOf } from './host-care.ts';
import { hostDiagnostics } from './host-diagnostics.ts';
import { HostEvents } from './host-events.ts';
import { HostMove } from './host-move.ts';
import { Node } from './node.ts';

export interface HostDependencies {
  readonly env: Environment;
  readonly files: OwnFiles;
  /** The settings of `env` and `files` if the program has read them already. */
  readonly settings?: ProgramSettings;
  readonly log: Logger;
  /** The place of the owner's view; null if there is none. */
  readonly ownerView: 'browser' | 'desktop' | null;
  /** Replaces the token of the view in the browser. */
  readonly newUiToken?: boolean;
  /** The newest lines of the log, for the diagnostics. */
  readonly recentLog: () => string;
  /** Settings that can't be applied here; none by default. */
  readonly lacks?: readonly ShownName[];
  /**
   * Applies a change in the system, such as the start at login, before it is saved. Rejects if the system refuses it.
   */
  readonly applyOutside?: (change: OutsideChange) => Promise<void>;
}

/**
 * Runs the only node of a program. The node can fail to start, change its addresses, move to another folder and start
 * again. Actions on it run one after another.
 */
export class NodeHost implements CaringHost {
  readonly ownerView: 'browser' | 'desktop';
  readonly settings: ProgramSettings;
  readonly dataChoice: DataChoice;
  readonly #dependencies: HostDependencies;
  readonly #care: Care;
  readonly #handlers: Handlers<HostMethod>;
  /** Answers owner calls while no node runs. */
  readonly #callsWithoutNode: OwnerCalls;
  readonly #onState = new Subscribers<[NodeState]>();
  readonly #events = new HostEvents();
  readonly #turns = new SerialQueue();
  readonly #move: HostMove;
  #node: Node | null = null;
  #state: NodeState = { state: 'starting' };
  #isFirstStart = true;
  #endWatch: () => void = () => {};

  constructor(dependencies: HostDependencies) {
    this.#dependencies = dependencies;
    const { env, files, lacks = [], log } = dependencies;
    this.settings =
      dependencies.settings ??
      new ProgramSettings({ env, path: files.settingsFile, defaults: files.defaults, lacks, log });
    this.dataChoice = new DataChoice(files, env);
    this.ownerView = dependencies.ownerView ?? 'browser';
    this.#move = new HostMove({
      host: this,
      log,
      turns: this.#turns,
      stopNode: () => this.#end(),
      startNode: async () => {
        await this.#begin();
        return this.#node !== null;
      },
      onProgress: (progress) => {
        this.#set({ state: 'moving', progress });
        this.#events.tell('settings');
      },
      onEnd: () => this.#tellSettings(),
    });
    const { care, handlers } = careOf(this, log);
    this.#care = care;
    this.#handlers = hostHandlers(this, handlers);
    this.#callsWithoutNode = new OwnerCalls(log, this.#handlers, (deed) => recordIn(this, log, deed));
  }

  get state(): NodeState {
    return this.#state;
  }

  /** The running node; null if there is none. */
  get node(): Node | null {
    return this.#node;
  }

  /** See Supervised. Between two nodes there is nothing that can hang. Throws if the node could not start. */
  vitals(): Record<string, Promise<unknown>> {
    if (this.#state.state === 'failed') throw new Error(this.#state.problem.message);
    return this.#node?.pulse.vitals() ?? {};
  }

  /** The hint how to undo a restore, if the folder's data was restored; else null. */
  get undoHint(): string | null {
    return undoHintOf(resolve(this.settings.now.dataDir));
  }

  get move(): Move | null {
    return this.#move.last;
  }

  /** Starts the node, after stopping a running one; resolves with its state. Rejects only after an unexpected error. */
  start(): Promise<NodeState> {
    return this.#turns.run(async () => {
      await this.#end();
      await this.#begin();
      return this.#state;
    });
  }

  /** Starts the node again if it failed. */
  retry(): Promise<NodeState> {
    return this.#state.state === 'failed' ? this.start() : Promise.resolve(this.#state);
  }

  /** Stops the node, and a running move. */
  stop(): Promise<void> {
    this.cancelMove();
    void this.#care.close();
    this.#endWatch();
    return this.#turns.run(async () => {
      await this.#end();
      this.#set({ state: 'stopped' });
    });
  }

  /** Calls `listener` after each change of `state`; returns a function that removes it. */
  onState(listener: (state: NodeState) => void): () => void {
    return this.#onState.add(listener);
  }

  /** Answers an owner call from a transport, also without a running node. Never rejects. */
  callJson(caller: Caller, method: string, input: unknown): Promise<JsonAnswer> {
    return this.#calls.callJson(caller, method, input);
  }

  /** Makes a call as the local owner; resolves with the value. */
  call<M extends MethodName>(method: M, input: unknown): Promise<Answer<M>> {
    return this.#calls.call(LOCAL_OWNER, method, input);
  }

  /** Adds a listener for the events of the running node, and of later ones; returns a function that removes it. */
  listen(onEvent: OnEvent): () => void {
    return this.#events.listen(onEvent);
  }

  apply(next: Settings): Promise<void> {
    return this.#turns.run(async () => {
      const node = this.#node;
      const before = this.settings.now;
      const newPublicPort = next.publicPort !== before.publicPort;
      if (newPublicPort && (node === null || !next.publicEnabled)) await probe(publicAddress(next.publicPort));
      if (node === null) {
        if (next.localPort !== before.localPort) await probe(localAddress(next.localPort));
        return;
      }
      await node.applySettings(next);
      this.#setRunning(node);
    });
  }

  async applyOutside(change: OutsideChange): Promise<void> {
    await this.#dependencies.applyOutside?.(change);
  }

  async saved(change: SettingChange): Promise<void> {
    this.#tellSettings();
    // Settings of the page can't be the reason for a failed start.
    const names = CHANGEABLE_NAMES.filter((name) => name in change);
    if (names.some((name) => SETTINGS[name].scope === 'node')) await this.retry();
  }

  startMove(to: string): MoveProblem | null {
    return this.#move.start(to);
  }

  cancelMove(): void {
    this.#move.cancel();
  }

  /** See CareHost. Afterwards the folder may have other settings. */
  whileStopped(change: () => Promise<void>, onSlow: (health: RestoreHealth) => void): Promise<RestoreHealth> {
    return this.#turns.run(async () => {
      await this.#end();
      this.#set({ state: 'starting' });
      await change();
      this.settings.reread();
      const begin = () => this.#begin();
      const health = await cameUp(this, begin, (slow) => {
        this.#set({ state: 'failed', problem: { kind: 'slow', message: slow.message! } });
        onSlow(slow);
      });
      if (this.#node !== null && this.#state.state === 'failed') this.#setRunning(this.#node);
      return health;
    });
  }

  /** See CaringHost. */
  tellBackups(): void {
    this.#events.tell('backups');
  }

  async diagnostics(): Promise<Output<'diagnostics'>> {
    return hostDiagnostics(this, this.#dependencies.recentLog());
  }

  get #calls(): OwnerCalls {
    return this.#node?.owner?.calls ?? this.#callsWithoutNode;
  }

  async #begin(): Promise<void> {
    this.#set({ state: 'starting' });
    const { log, ownerView, newUiToken } = this.#dependencies;
    try {
      const settings = this.settings.with({});
      this.dataChoice.check(settings.dataDir);
      const newToken = this.#isFirstStart && (newUiToken ?? false);
      const node = new Node(settings, log, {
        ownerView,
        newUiToken: newToken,
        hostHandlers: this.#handlers,
        care: this.#care,
      });
      await node.start();
      const damaged = new DamagedFiles({ path: resolve(settings.dataDir), log, now: () => SYSTEM_CLOCK.now() });
      this.settings.file.onDamage((damage) => damaged.add(damage));
      this.#isFirstStart = false;
      this.#endWatch();
      this.#endWatch = this.settings.file.warnOfEdits(log);
      this.#node = node;
      this.#events.follow(node);
      this.#setRunning(node);
    } catch (error) {
      const isExpected = error instanceof StartError;
      const problem = await startProblemOf(isExpected ? error : new StartError((error as Error).message));
      // The headless program prints the problem and exits; a window disappears, so the desktop app logs it.
      if (ownerView === 'desktop') log.error({ reason: problem.message }, 'the node did not start');
      this.#set({ state: 'failed', problem });
      // Restored data may cause any error; then the owner is offered an undo.
      if (!isExpected && this.undoHint === null) throw error;
    }
  }

  async #end(): Promise<void> {
    const node = this.#node;
    this.#node = null;
    this.#events.follow(null);
    await node?.stop();
  }

  #setRunning({ urls }: Node): void {
    this.#set({ state: 'running', ...urls });
  }

  #set(state: NodeState): void {
    this.#state = state;
    this.#onState.tell(state);
  }

  #tellSettings(): void {
    this.settings.changed();
    this.#events.tell('settings');
  }
}
