import { join } from 'node:path';
import { configFolder } from '../../data-folder/own-files.ts';

/** Electron starts nothing at login on Linux; desktops read this folder (the XDG autostart specification). */
export function autostartFile(env: Readonly<Record<string, string | undefined>> = process.env): string {
  return join(configFolder(env), 'autostart', 'wellhouse.desktop');
}

/** A desktop entry that runs the command. */
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

/** An entry with another command; all else that is in it stays as it is. */
export function withCommand(entry: string, command: readonly string[]): string {
  return entry.replace(/^Exec=.*$/m, () => execLine(command));
}

function execLine(command: readonly string[]): string {
  return `Exec=${command.map(quoted).join(' ')}`;
}

/** As the desktop entry specification has it: quoted, reserved characters escaped twice, and no field codes. */
function quoted(argument: string): string {
  const escaped = argument
    .replace(/["`$\\]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%');
  return `"${escaped}"`;
}
