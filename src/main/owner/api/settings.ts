import { resolve } from 'node:path';
import type { Output } from '../../../shared/owner-api/contract.ts';
import type { SettingChange, SettingProblem, SettingsView } from '../../../shared/owner-api/settings.ts';
import { SerialQueue } from '../../../shared/serial-queue.ts';
import {
  CHANGEABLE_NAMES,
  type ChangeableName,
  SETTINGS,
  SHOWN_NAMES,
  type ShownName,
} from '../../../shared/settings/table.ts';
import { OwnerError } from '../../common/owner-error.ts';
import { portHolder } from '../../common/port-holder.ts';
import { StartError } from '../../common/start-error.ts';
import { isPinned } from '../../settings/settings.ts';
import { ownAddresses } from './addresses.ts';
import type { OutsideChange, OwnerHost } from './host.ts';

const OUTSIDE: keyof OutsideChange = 'startAtLogin';

/** Shows and changes settings for the owner. Changes run one after another. */
export class SettingsCalls {
  readonly #host: OwnerHost;
  readonly #changes = new SerialQueue();

  constructor(host: OwnerHost) {
    this.#host = host;
  }

  /** Changes settings: either all are applied and saved, or none. Rejects with OwnerError. */
  set(change: SettingChange): Promise<Output<'setSettings'>> {
    return this.#changes.run(() => this.#set(change));
  }

  async #set(change: SettingChange): Promise<Output<'setSettings'>> {
    const host = this.#host;
    if (host.state.state === 'moving') throw new OwnerError('conflict', 'the data folder is being moved');
    for (const setting of changedBy(change)) {
      const kind = this.#whyNot(setting);
      if (kind !== null) return { saved: false, problem: { setting, kind, holder: null } };
    }
    const before = host.settings.now;
    try {
      const next = host.settings.with(change);
      const setting = (['localPort', 'publicPort'] as const).find((name) => name in change);
      // This also applies while the public endpoint is off: otherwise it could not be turned on.
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
      await host.settings.file.save(change);
    } catch (error) {
      await host.apply(before);
      if (OUTSIDE in change) await host.applyOutside(before);
      throw new OwnerError('storage_unavailable', `${host.settings.file.path}: ${(error as Error).message}`);
    }
    await host.saved(change);
    return { saved: true, view: this.view() };
  }

  /** Returns why a setting can't be changed here; null if it can. */
  #whyNot(setting: ShownName): 'pinned' | 'not_applicable' | null {
    if (!this.#applies(setting)) return 'not_applicable';
    return isPinned(this.#host.settings.env, SETTINGS[setting]) ? 'pinned' : null;
  }

  #applies(setting: ShownName): boolean {
    if (this.#host.settings.lacks.includes(setting)) return false;
    return this.#host.ownerView === 'desktop' || SETTINGS[setting].scope === 'node';
  }

  /** Returns the settings in force and their sources. Throws StartError if they are refused. */
  view(): SettingsView {
    const { ownerView, state } = this.#host;
    const { file, env } = this.#host.settings;
    const inForce = this.#host.settings.with({});
    const settings = { ...inForce, dataDir: resolve(inForce.dataDir) };
    const shown = (name: ShownName) => {
      const otherwise = file.kept[name] === undefined ? 'default' : 'file';
      const source = isPinned(env, SETTINGS[name]) ? 'environment' : otherwise;
      const { variable } = SETTINGS[name];
      return [name, { value: settings[name], source, variable, applies: this.#applies(name) }];
    };
    return {
      ownerView,
      settings: Object.fromEntries(SHOWN_NAMES.map(shown)) as SettingsView['settings'],
      file: {
        path: file.path,
        edited: [...file.edited],
      },
      localUrl: state.state === 'running' ? state.localUrl : null,
      publicUrl: state.state === 'running' ? state.publicUrl : null,
      addresses: ownAddresses(),
    };
  }
}

/** Never empty: the contract refuses an empty change. */
function changedBy(change: SettingChange): readonly ChangeableName[] {
  return CHANGEABLE_NAMES.filter((name) => name in change);
}

/** Returns the cause of a refused change, in the terms of the change. */
async function problemOf({ port }: StartError, change: SettingChange): Promise<SettingProblem> {
  const first = changedBy(change)[0]!;
  if (port === null) return { setting: first, kind: 'failed', holder: null };
  const blamed = port.listener === 'public' ? 'publicPort' : 'localPort';
  const others = (['publicPort', 'localPort', 'publicEnabled'] as const).filter((name) => name in change);
  const setting = blamed in change ? blamed : (others[0] ?? first);
  return { setting, kind: port.reason, holder: port.reason === 'taken' ? await portHolder(port.port) : null };
}
