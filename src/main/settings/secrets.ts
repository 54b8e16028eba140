import { SETTINGS, type SettingsTable } from '../../shared/settings/table.ts';
import { type Environment, isPinned } from './settings.ts';

/** Returns the values of settings for others than the owner: of a secret, only whether it is set. */
export function withoutSecrets(
  values: Readonly<Record<string, unknown>>,
  table: SettingsTable,
): Readonly<Record<string, unknown>> {
  const shown = ([name, value]: [string, unknown]) => {
    return [name, table[name]?.isSecret === true ? { isSecret: true, isSet: value !== null } : value];
  };
  return Object.fromEntries(Object.entries(values).map(shown));
}

/** Returns the secrets in the environment, valid or not, so that they can be removed from other texts. */
export function secretTexts(env: Environment, table: SettingsTable = SETTINGS): string[] {
  return Object.values(table).flatMap((setting) => {
    return setting.isSecret === true && isPinned(env, setting) ? [env[setting.variable!]!] : [];
  });
}
