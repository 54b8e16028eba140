import { resolve } from 'node:path';
import type { NodeState, StartProblem } from '../../shared/node-state.ts';
import type { Input, Output } from '../../shared/owner-api.ts';
import {
  CHANGEABLE,
  DESKTOP_ONLY,
  type FolderProblem,
  type MoveProblem,
  OF_EACH_BROWSER,
  type SettingChange,
  type SettingName,
  type SettingProblem,
  type SettingsMethod,
  type SettingsView,
} from '../../shared/owner-settings.ts';
import type { DataChoice } from '../data-choice.ts';
import type { HostSettings } from '../host-settings.ts';
import { deleteOldData, oldDataIn } from '../move/old-data.ts';
import { portHolder } from '../port-holder.ts';
import { type Environment, isSet, VARIABLES } from '../settings.ts';
import type { SettingsFile } from '../settings-file.ts';
import { StartError } from '../start-error.ts';
import { ownAddresses } from './addresses.ts';
import { OwnerError } from './owner-error.ts';

/** What concerns the system outside the node. */
export type OutsideChange = Pick<SettingChange, 'startAtLogin'>;
const OUTSIDE: keyof OutsideChange = 'startAtLogin';

/** What the settings belong to, and what carries a change out. */
export interface SettingsHost {
  readonly home: 'browser' | 'desktop';
  readonly env: Environment;
  readonly state: NodeState;
  readonly settingsPath: string;
  /** Throws StartError where it can't be read. */
  readonly file: SettingsFile;
  /** As they are in force, or the defaults where they are refused. */
  readonly settings: HostSettings;
  /** As they are with a change to the file; throws StartError where that can't be. */
  settingsWith(change: SettingChange): HostSettings;
  /** Has the endpoints listen as the settings say, or tries the ports where no node runs. Throws StartError. */
  apply(next: HostSettings): Promise<void>;
  /** Obeys what concerns the system outside the node, before it is saved. Rejects where the system refuses. */
  applyOutside(change: OutsideChange): Promise<void>;
  /**
   * The file has changed: who shows or obeys settings is told, and a node that could not start with what was changed
   * tries again.
   */
  saved(change: SettingChange): Promise<void>;
  /** Starts the node anew where it failed. */
  retry(): Promise<NodeState>;
  readonly dataChoice: DataChoice;
  readonly move: SettingsView['move'];
  startMove(to: string): MoveProblem | null;
  cancelMove(): void;
  diagnostics(): Promise<Output<'diagnostics'>>;
}

/** Answers the owner's calls that concern settings, whether or not a node runs. Changes come one after another. */
export class SettingsCallsOfHost {
  readonly #host: SettingsHost;
  #last: Promise<unknown> = Promise.resolve();

  constructor(host: SettingsHost) {
    this.#host = host;
  }

  /** See `SettingsCalls`. */
  async run(method: SettingsMethod, input: unknown): Promise<unknown> {
    switch (method) {
      case 'getSettings':
        return this.#view();
      case 'setSettings':
        return this.set((input as Input<'setSettings'>).change);
      case 'moveData':
        return { problem: this.#host.startMove((input as Input<'moveData'>).to) } satisfies Output<'moveData'>;
      case 'useDataDir':
        return { problem: await this.#takeDataDir(input as Input<'useDataDir'>) } satisfies Output<'useDataDir'>;
      case 'cancelMove':
        this.#host.cancelMove();
        return {};
      case 'deleteOldData':
        return { deleted: await this.#deleteOld(input as Input<'deleteOldData'>) } satisfies Output<'deleteOldData'>;
      case 'diagnostics':
        return this.#host.diagnostics();
    }
  }

  /** Changes settings: all of it, applied and kept, or nothing. Rejects with OwnerError. */
  set(change: SettingChange): Promise<Output<'setSettings'>> {
    const result = this.#last.then(() => this.#set(change));
    this.#last = result.catch(() => {});
    return result;
  }

  async #set(change: SettingChange): Promise<Output<'setSettings'>> {
    const host = this.#host;
    if (host.state.state === 'moving') throw new OwnerError('conflict', 'the data folder is being moved');
    for (const setting of Object.keys(change) as (keyof SettingChange)[]) {
      const kind = this.#whyNot(setting);
      if (kind !== null) return { saved: false, problem: { setting, kind, holder: null } };
    }
    const before = host.settings;
    try {
      const next = host.settingsWith(change);
      const setting = (['localPort', 'publicPort'] as const).find((name) => name in change);
      // Also while the public endpoint is off: it could not be turned on.
      if (setting !== undefined && next.localPort !== 0 && next.localPort === next.publicPort) {
        return { saved: false, problem: { setting, kind: 'equal', holder: null } };
      }
      await host.apply(next);
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      return { saved: false, problem: await problemOf(error, change) };
    }
    try {
      await host.applyOutside(change);
    } catch {
      await host.apply(before);
      return { saved: false, problem: { setting: OUTSIDE, kind: 'failed', holder: null } };
    }
    try {
      await host.file.save(change);
    } catch (error) {
      await host.apply(before);
      await host.applyOutside(before);
      throw new OwnerError('storage_unavailable', `${host.file.path}: ${(error as Error).message}`);
    }
    await host.saved(change);
    return { saved: true, view: this.#view() };
  }

  /** Why a setting can't be changed here; null where it can. */
  #whyNot(setting: SettingName): 'pinned' | 'not_applicable' | null {
    if (!this.#applies(setting)) return 'not_applicable';
    const variable = variableOf(setting);
    return variable !== null && isSet(this.#host.env, variable) ? 'pinned' : null;
  }

  #applies(setting: SettingName): boolean {
    return this.#host.home === 'desktop' || ![...DESKTOP_ONLY, ...OF_EACH_BROWSER].includes(setting);
  }

  #view(): SettingsView {
    const { file, home, env, state, move } = this.#host;
    const inForce = this.#host.settingsWith({});
    const settings = { ...inForce, dataDir: resolve(inForce.dataDir) };
    const shown = (name: SettingName) => {
      const variable = variableOf(name);
      const isPinned = variable !== null && isSet(env, variable);
      const source = isPinned ? 'environment' : file.kept[name] === undefined ? 'default' : 'file';
      return [name, { value: settings[name], source, variable, applies: this.#applies(name) }];
    };
    const names: SettingName[] = [...(Object.keys(CHANGEABLE) as (keyof typeof CHANGEABLE)[]), 'dataDir'];
    return {
      home,
      settings: Object.fromEntries(names.map(shown)) as SettingsView['settings'],
      file: { path: file.path, setAside: file.setAside },
      localUrl: state.state === 'running' ? state.localUrl : null,
      publicUrl: state.state === 'running' ? state.publicUrl : null,
      addresses: ownAddresses(),
      move,
      oldData: oldDataIn(file.kept.oldDataDirs ?? []),
    };
  }

  async #takeDataDir({ path, startAnew }: Input<'useDataDir'>): Promise<FolderProblem | null> {
    const host = this.#host;
    if (host.home !== 'desktop') return 'not_applicable';
    if (host.state.state !== 'failed') return 'busy';
    const problem = host.dataChoice.choose(path, startAnew);
    if (problem !== null) return problem;
    try {
      await host.file.save({ dataDir: path });
    } catch (error) {
      throw new OwnerError('storage_unavailable', `${host.file.path}: ${(error as Error).message}`);
    }
    await host.saved({});
    await host.retry();
    return null;
  }

  async #deleteOld({ path, confirm }: Input<'deleteOldData'>): Promise<boolean> {
    const { file } = this.#host;
    const kept = file.kept.oldDataDirs ?? [];
    if (confirm !== path) throw new OwnerError('invalid_input', 'confirm: does not repeat the path');
    if (!kept.includes(path)) throw new OwnerError('not_found', 'no move left data there');
    try {
      if (!(await deleteOldData(path))) return false;
      await file.save({ oldDataDirs: kept.filter((dir) => dir !== path) });
    } catch (error) {
      throw new OwnerError('storage_unavailable', (error as Error).message);
    }
    await this.#host.saved({});
    return true;
  }
}

function variableOf(setting: SettingName): string | null {
  return (VARIABLES as Partial<Record<SettingName, string>>)[setting] ?? null;
}

/** What a refused change comes from, in the terms of the change. */
async function problemOf({ port }: StartError, change: SettingChange): Promise<SettingProblem> {
  const changed = Object.keys(change) as [keyof SettingChange];
  if (port === null) return { setting: changed[0], kind: 'failed', holder: null };
  const blamed = port.endpoint === 'public' ? 'publicPort' : 'localPort';
  const others = (['publicPort', 'localPort', 'publicEnabled'] as const).filter((name) => name in change);
  const setting = blamed in change ? blamed : (others[0] ?? changed[0]);
  return { setting, kind: port.reason, holder: port.reason === 'taken' ? await portHolder(port.port) : null };
}

/** A failed start as it is shown. */
export async function startProblemOf(error: StartError): Promise<StartProblem> {
  const message = error.message.replace(/\s+/g, ' ');
  if (error.folder !== null) return { kind: 'folder', ...error.folder, message };
  if (error.port === null) return { kind: 'other', message };
  const holder = error.port.reason === 'taken' ? await portHolder(error.port.port) : null;
  return { kind: 'port', ...error.port, holder, message };
}
