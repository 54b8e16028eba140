import { SETTINGS, type SettingsTable } from '../../shared/settings/table.ts';
import { type Environment, isPinned } from './settings.ts';

/** The values of settings for eyes other than the owner's: of a secret only whether there is one. */
export function withoutSecrets(
  values: Readonly<Record<string, unknown>>,
  table: SettingsTable,
): Readonly<Record<string, unknown>> {
  const shown = ([name, value]: [string, unknown]) => {
    return [name, table[name]?.isSecret === true ? { isSecret: true, isSet: value !== null } : value];
  };
  return Object.fromEntries(Object.entries(values).map(shown));
}

/** The texts of the secrets that the environment holds, sound or not, to be kept out of whatever is given away. */
export function secretTexts(env: Environment, table: SettingsTable = SETTINGS): string[] {
  return Object.values(table).flatMap((setting) => {
    return setting.isSecret === true && isPinned(env, setting) ? [env[setting.variable!]!] : [];
  });
}
