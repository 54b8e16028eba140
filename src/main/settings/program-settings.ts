import { resolve } from 'node:path';
import type { Logger } from 'pino';
import type { SettingChange } from '../../shared/owner-api/settings.ts';
import type { ShownName } from '../../shared/settings/table.ts';
import { Subscribers } from '../../shared/subscribers.ts';
import { type Environment, readSettings, type SettingDefaults, type Settings } from './settings.ts';
import { SettingsFile } from './settings-file.ts';

export interface ProgramSettingsDependencies {
  /** Its variables override the owner's settings. */
  readonly env: Environment;
  /** The path of the settings file. */
  readonly path: string;
  readonly defaults: SettingDefaults;
  /** Settings that this program can't apply; none by default. */
  readonly lacks?: readonly ShownName[];
  readonly log: Logger;
}

/** The settings of a program, from its environment and its settings file. */
export class ProgramSettings {
  readonly env: Environment;
  readonly path: string;
  readonly lacks: readonly ShownName[];
  readonly #defaults: SettingDefaults;
  readonly #log: Logger;
  readonly #onChange = new Subscribers<[Settings]>();
  #file: SettingsFile | null = null;

  constructor({ env, path, defaults, lacks = [], log }: ProgramSettingsDependencies) {
    this.env = env;
    this.path = resolve(path);
    this.lacks = lacks;
    this.#defaults = defaults;
    this.#log = log;
  }

  /** The settings file. Throws StartError if it can't be read. */
  get file(): SettingsFile {
    this.#file ??= SettingsFile.open(this.path, this.#log);
    return this.#file;
  }

  /** The current settings, or the defaults if they are refused, so that a window can still be shown. */
  get now(): Settings {
    try {
      return this.with({});
    } catch {
      return readSettings({}, this.#defaults, {});
    }
  }

  /** Returns the settings after a change of the file. Throws StartError if they are refused. */
  with(change: SettingChange): Settings {
    return readSettings(this.env, this.#defaults, { ...this.file.kept, ...change });
  }

  /** Calls the listener with the settings after each change. Returns a function that removes it. */
  onChange(listener: (settings: Settings) => void): () => void {
    return this.#onChange.add(listener);
  }

  /** Notifies the listeners that the settings were changed. */
  changed(): void {
    this.#onChange.tell(this.now);
  }

  /** Makes the next access read the file again, because it was replaced. */
  reread(): void {
    this.#file = null;
  }
}
