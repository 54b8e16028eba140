import { SETTINGS, type SettingsTable } from '../../shared/settings/table.ts';

/** Returns the settings that have an environment variable, one per line, for `--help`. */
export function settingsHelp(table: SettingsTable = SETTINGS): string {
  const rows = Object.values(table).flatMap((setting) => {
    return setting.variable === null ? [] : [{ ...setting, variable: setting.variable }];
  });
  const width = Math.max(...rows.map(({ variable }) => variable.length));
  return rows
    .map(({ variable, help, isSecret, default: value }) => {
      const byDefault = String(value ?? '');
      return `  ${variable.padEnd(width)}  ${help}${isSecret === true || byDefault === '' ? '' : ` (${byDefault})`}\n`;
    })
    .join('');
}
