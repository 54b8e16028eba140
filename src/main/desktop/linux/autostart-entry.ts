import { join } from 'node:path';
import { configFolder } from '../../data-folder/own-files.ts';

/**
 * Returns the path of the autostart entry. Electron does not support this on Linux; desktops read this folder (the XDG
 * autostart specification).
 */
export function autostartFile(env: Readonly<Record<string, string | undefined>> = process.env): string {
  return join(configFolder(env), 'autostart', 'wellhouse.desktop');
}

/** Returns a desktop entry that runs the command. */
export function autostartEntry(command: readonly string[]): string {
  return `${[
    '[Desktop Entry]',
    'Type=Application',
    'Name=Wellhouse',
    execLine(command),
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
  ].join('\n')}\n`;
}

/** Returns an entry with another command and otherwise unchanged. */
export function withCommand(entry: string, command: readonly string[]): string {
  return entry.replace(/^Exec=.*$/m, () => execLine(command));
}

function execLine(command: readonly string[]): string {
  return `Exec=${command.map(quoted).join(' ')}`;
}

/**
 * Quotes an argument by the desktop entry specification: reserved characters are escaped twice, and field codes are
 * disabled.
 */
function quoted(argument: string): string {
  const escaped = argument
    .replace(/["`$\\]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%');
  return `"${escaped}"`;
}
