import { join } from 'node:path';
import { configFolder } from '../homes.ts';

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
    `Exec=${command.map(quoted).join(' ')}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
  ].join('\n')}\n`;
}

/** As the desktop entry specification has it: quoted, reserved characters escaped twice, and no field codes. */
function quoted(argument: string): string {
  const escaped = argument
    .replace(/["`$\\]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%');
  return `"${escaped}"`;
}
