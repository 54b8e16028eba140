import type { z } from 'zod';
import { SETTINGS, type Setting, type Settings, type SettingsTable } from '../../shared/settings/table.ts';
import { StartError } from '../common/start-error.ts';
import type { KeptSettings } from './settings-file.ts';

export type { Settings };
export type LogLevel = Settings['logLevel'];
export type RawBinding = Settings['rawBinding'];
export type Durability = Settings['durability'];

/** The defaults that differ between the desktop app and the headless node. */
export type SettingDefaults = Pick<Settings, 'dataDir' | 'publicEnabled'>;

export type Environment = Readonly<Record<string, string | undefined>>;

/** The values of a table's settings. */
export type ValuesOf<Table extends SettingsTable> = {
  readonly [Name in keyof Table]: z.output<Table[Name]['schema']>;
};

/** Returns whether the environment sets a variable; an empty one counts as not set. */
export function isSet(env: Environment, name: string): boolean {
  return env[name] !== undefined && env[name] !== '';
}

/** Returns whether the environment sets a setting, so that a change of it would have no effect. */
export function isPinned(env: Environment, { variable, takesEmpty }: Setting): boolean {
  return variable !== null && (isSet(env, variable) || (takesEmpty === true && env[variable] === ''));
}

/** Reads only LOG_LEVEL, for use before the settings are read. Throws StartError. */
export function readLogLevel(env: Environment): LogLevel {
  return readSetting(SETTINGS.logLevel, env, SETTINGS.logLevel.default);
}

/**
 * Reads the settings: from the environment, else from the settings file, else the default. An empty variable is not
 * set. Throws StartError with the variable, its value and the allowed values.
 */
export function readSettings(env: Environment, defaults: SettingDefaults, kept: KeptSettings = {}): Settings {
  const settings = readTable(SETTINGS, env, { ...defaults, ...definedOf(kept) });
  const { localEnabled } = settings;
  if (
    localEnabled &&
    settings.publicEnabled &&
    settings.publicPort !== 0 &&
    settings.publicPort === settings.localPort
  ) {
    const port = settings.localPort;
    throw new StartError(`PUBLIC_PORT and LOCAL_PORT are both ${port}: each endpoint needs a port of its own`, {
      listener: 'public',
      port,
      reason: 'equal',
    });
  }
  return settings;
}

/**
 * Reads the settings of a table; `others` are used for settings that the environment does not set. Throws StartError.
 */
export function readTable<const Table extends SettingsTable>(
  table: Table,
  env: Environment,
  others: Readonly<Record<string, unknown>> = {},
): ValuesOf<Table> {
  const values = Object.entries(table).map(([name, setting]) => [
    name,
    readSetting(setting, env, others[name] ?? setting.default),
  ]);
  return Object.fromEntries(values) as ValuesOf<Table>;
}

function readSetting<T>(setting: Setting<T>, env: Environment, otherwise: T): T {
  const { variable, isSecret, allowed } = setting;
  if (variable === null || !isPinned(env, setting)) return otherwise;
  const parsed = setting.parse(env[variable]!);
  if ('value' in parsed) return parsed.value;
  const value = isSecret === true ? 'not allowed' : JSON.stringify(parsed.wrong);
  throw new StartError(`${variable} is ${value}; allowed: ${allowed}`);
}

function definedOf(kept: KeptSettings): KeptSettings {
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
}
