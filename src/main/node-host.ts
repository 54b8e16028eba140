import { resolve } from 'node:path';
import type { Logger } from 'pino';
import type { MoveProgress, NodeState } from '../shared/node-state.ts';
import type { Answer, MethodName, Output } from '../shared/owner-api.ts';
import { isSettingsMethod, type MoveProblem, type SettingChange, type SettingsView } from '../shared/owner-settings.ts';
import { DataChoice } from './data-choice.ts';
import type { Home } from './homes.ts';
import { type HostSettings, readHostSettings } from './host-settings.ts';
import { probePort } from './listening.ts';
import { checkTarget, MoveError } from './move/copy-folder.ts';
import { DataMove } from './move/data-move.ts';
import { type Node, startNode } from './node.ts';
import { answerCall, type JsonAnswer } from './owner/answer.ts';
import type { OnEvent } from './owner/events.ts';
import { OwnerError } from './owner/owner-error.ts';
import { type OutsideChange, SettingsCallsOfHost, type SettingsHost, startProblemOf } from './owner/settings-calls.ts';
import { type Environment, VARIABLES } from './settings.ts';
import { SettingsFile } from './settings-file.ts';
import { StartError } from './start-error.ts';

/** What a host is made of. */
export interface HostParts {
  readonly env: Environment;
  readonly home: Home;
  readonly log: Logger;
  /** Where the owner's view is at home; null: nowhere. */
  readonly ownerView: 'browser' | 'desktop' | null;
  /** Replaces the token of the browser home. */
  readonly newUiToken?: boolean;
  /** The newest lines of the log, for the diagnostics. */
  readonly recentLog: () => string;
  /** Carries a change out in the system, such as the start at login, before it is saved. Rejects where refused. */
  readonly applyOutside?: (change: OutsideChange) => Promise<void>;
}

/**
 * Holds the one node of a program that outlives it: the node can fail to start, listen elsewhere, move to another folder
 * and start anew. What is done to it happens one after another.
 */
export class NodeHost implements SettingsHost {
  readonly home: 'browser' | 'desktop';
  readonly env: Environment;
  readonly dataChoice: DataChoice;
  readonly #parts: HostParts;
  readonly #calls = new SettingsCallsOfHost(this);
  readonly #onState = new Set<(state: NodeState) => void>();
  readonly #onSettings = new Set<(settings: HostSettings) => void>();
  readonly #onEvent = new Map<OnEvent, () => void>();
  #file: SettingsFile | null = null;
  #node: Node | null = null;
  #state: NodeState = { state: 'starting' };
  #last: Promise<unknown> = Promise.resolve();
  #dataMove: DataMove | null = null;
  #move: SettingsView['move'] = null;
  #isFirstStart = true;

  constructor(parts: HostParts) {
    this.#parts = parts;
    this.env = parts.env;
    this.dataChoice = new DataChoice(parts.home, parts.env);
    this.home = parts.ownerView ?? 'browser';
  }

  get state(): NodeState {
    return this.#state;
  }

  /** The running node; null where there is none. */
  get node(): Node | null {
    return this.#node;
  }

  get settingsPath(): string {
    return resolve(this.#parts.home.settingsFile);
  }

  get file(): SettingsFile {
    this.#file ??= SettingsFile.open(this.#parts.home.settingsFile);
    return this.#file;
  }

  /** As they are in force; where they can't be read, the defaults, so that a window can still be shown. */
  get settings(): HostSettings {
    try {
      return this.settingsWith({});
    } catch {
      return readHostSettings({}, this.#parts.home.defaults, {});
    }
  }

  get move(): SettingsView['move'] {
    return this.#move;
  }

  settingsWith(change: SettingChange): HostSettings {
    return readHostSettings(this.env, this.#parts.home.defaults, { ...this.file.kept, ...change });
  }

  /** Starts the node, after stopping one that runs, and resolves with how it went. Rejects only for a fault of ours. */
  start(): Promise<NodeState> {
    return this.#inTurn(async () => {
      await this.#end();
      await this.#begin();
      return this.#state;
    });
  }

  /** Starts the node anew where it failed. */
  retry(): Promise<NodeState> {
    return this.#state.state === 'failed' ? this.start() : Promise.resolve(this.#state);
  }

  /** Stops the node, and a move under way with it. */
  stop(): Promise<void> {
    this.cancelMove();
    return this.#inTurn(async () => {
      await this.#end();
      this.#set({ state: 'stopped' });
    });
  }

  /** Tells each change of `state`; returns what ends it. */
  onState(listener: (state: NodeState) => void): () => void {
    this.#onState.add(listener);
    return () => this.#onState.delete(listener);
  }

  /** Tells the settings each time they were changed; returns what ends it. */
  onSettings(listener: (settings: HostSettings) => void): () => void {
    this.#onSettings.add(listener);
    return () => this.#onSettings.delete(listener);
  }

  /** Answers an owner call as it came over a transport, also where no node runs. Never rejects. */
  callJson(method: string, input: unknown): Promise<JsonAnswer> {
    const owner = this.#node?.owner;
    if (owner != null) return owner.callJson(method, input);
    return answerCall(this.#parts.log, method, input, async (name, checked) => {
      if (!isSettingsMethod(name)) throw new OwnerError('storage_unavailable', 'the node does not run');
      return JSON.stringify(await this.#calls.run(name, checked));
    });
  }

  /** Like `callJson`, with the value itself. */
  async call<M extends MethodName>(method: M, input: unknown): Promise<Answer<M>> {
    const answer = await this.callJson(method, input);
    if (!answer.ok) return answer;
    const text = typeof answer.json === 'string' ? answer.json : new TextDecoder().decode(answer.json);
    return { ok: true, value: JSON.parse(text) as Output<M> };
  }

  /** Listens to events of whatever node runs; returns what ends it. */
  listen(onEvent: OnEvent): () => void {
    this.#onEvent.set(onEvent, this.#node?.owner?.listen(onEvent) ?? (() => {}));
    return () => {
      this.#onEvent.get(onEvent)?.();
      this.#onEvent.delete(onEvent);
    };
  }

  apply(next: HostSettings): Promise<void> {
    return this.#inTurn(async () => {
      const node = this.#node;
      const before = this.settings;
      const newPublicPort = next.publicPort !== before.publicPort;
      if (newPublicPort && (node === null || !next.publicEnabled)) await probePort('public', next.publicPort);
      if (node === null) {
        if (next.localPort !== before.localPort) await probePort('local', next.localPort);
        return;
      }
      await node.applySettings(next);
      this.#setRunning(node);
    });
  }

  async applyOutside(change: OutsideChange): Promise<void> {
    await this.#parts.applyOutside?.(change);
  }

  async saved(change: SettingChange): Promise<void> {
    this.#tellSettings();
    // How the page of a failed start looks has nothing to do with why it failed.
    if (Object.keys(change).some((name) => name in VARIABLES)) await this.retry();
  }

  startMove(to: string): MoveProblem | null {
    if (this.home !== 'desktop') return 'not_applicable';
    if (this.dataChoice.isPinned) return 'pinned';
    if (this.#state.state !== 'running') return 'busy';
    const from = resolve(this.settings.dataDir);
    try {
      checkTarget(from, to);
    } catch (error) {
      return error instanceof MoveError ? error.problem : 'not_writable';
    }
    this.#onMoveProgress({ to, phase: 'copying', doneBytes: 0, totalBytes: 0 });
    const { log } = this.#parts;
    const startNode = async () => {
      await this.#begin();
      return this.#node !== null;
    };
    const move = new DataMove({ log, file: this.file, onProgress: (now) => this.#onMoveProgress(now), startNode });
    this.#dataMove = move;
    this.#inTurn(() => this.#moveData(move, from, to)).catch((error: unknown) => {
      this.#parts.log.error({ err: error }, 'a move of the data folder failed');
    });
    return null;
  }

  cancelMove(): void {
    this.#dataMove?.cancel();
  }

  async diagnostics(): Promise<Output<'diagnostics'>> {
    // Loaded when it is asked for: the node of a small machine runs for months without.
    const { makeDiagnostics } = await import('./diagnostics/diagnostics.ts');
    const overview = async () => this.#node?.owner?.call('overview', { dayStart: Date.now() - 86_400_000 }) ?? null;
    return makeDiagnostics({ host: this, log: this.#parts.recentLog(), overview });
  }

  async #moveData(move: DataMove, from: string, to: string): Promise<void> {
    await this.#end();
    this.#move = await move.run(from, to);
    this.#dataMove = null;
    this.#tellSettings();
  }

  #onMoveProgress(progress: MoveProgress): void {
    this.#move = progress;
    this.#set({ state: 'moving', progress });
    this.#tellView();
  }

  async #begin(): Promise<void> {
    this.#set({ state: 'starting' });
    const { log, ownerView, newUiToken } = this.#parts;
    try {
      const settings = this.settingsWith({});
      const { setAside, path } = this.file;
      if (setAside !== null && this.#isFirstStart) log.warn({ settings: path, ...setAside }, 'broken settings file');
      this.dataChoice.check(settings.dataDir);
      const newToken = this.#isFirstStart && (newUiToken ?? false);
      const settingsCalls = this.#calls.run.bind(this.#calls);
      const node = await startNode(settings, log, { ownerView, newUiToken: newToken, settingsCalls });
      this.#isFirstStart = false;
      this.#node = node;
      for (const onEvent of this.#onEvent.keys()) {
        this.#onEvent.set(onEvent, node.owner?.listen(onEvent) ?? (() => {}));
      }
      this.#setRunning(node);
    } catch (error) {
      const isExpected = error instanceof StartError;
      const problem = await startProblemOf(isExpected ? error : new StartError((error as Error).message));
      // The headless entry prints it and ends; a window goes away, and its log stays.
      if (ownerView === 'desktop') log.error({ reason: problem.message }, 'the node did not start');
      this.#set({ state: 'failed', problem });
      if (!isExpected) throw error;
    }
  }

  async #end(): Promise<void> {
    const node = this.#node;
    this.#node = null;
    await node?.stop();
  }

  #setRunning({ localUrl, publicUrl }: Node): void {
    this.#set({ state: 'running', localUrl, publicUrl });
  }

  #set(state: NodeState): void {
    this.#state = state;
    for (const listener of [...this.#onState]) listener(state);
  }

  #tellSettings(): void {
    for (const listener of [...this.#onSettings]) listener(this.settings);
    this.#tellView();
  }

  /** Through the node's events where one runs, so that a browser hears it too. */
  #tellView(): void {
    const owner = this.#node?.owner;
    if (owner != null) owner.settingsChanged();
    else for (const onEvent of this.#onEvent.keys()) onEvent('settings', {});
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => {});
    return turn;
  }
}
