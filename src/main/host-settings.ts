import type { KeptSettings, SettingChange } from '../shared/owner-settings.ts';
import { type Environment, readSettings, type SettingDefaults, type Settings } from './settings.ts';

/** The node's settings together with those of the app around it. */
export type HostSettings = Settings & {
  readonly [Name in Exclude<keyof SettingChange, keyof Settings>]: Exclude<SettingChange[Name], undefined>;
};

const APP_DEFAULTS = { language: null, theme: 'auto', startAtLogin: false, closeBehaviour: 'ask' } as const;

/** Like `readSettings`. Throws StartError. */
export function readHostSettings(env: Environment, defaults: SettingDefaults, kept: KeptSettings): HostSettings {
  return {
    ...readSettings(env, defaults, kept),
    language: kept.language ?? APP_DEFAULTS.language,
    theme: kept.theme ?? APP_DEFAULTS.theme,
    startAtLogin: kept.startAtLogin ?? APP_DEFAULTS.startAtLogin,
    closeBehaviour: kept.closeBehaviour ?? APP_DEFAULTS.closeBehaviour,
  };
}
