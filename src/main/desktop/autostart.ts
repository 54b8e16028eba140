import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { app } from 'electron';

/** Tells a start at login: the window stays in the tray. */
export const HIDDEN_FLAG = '--hidden';

/** Makes the app start at login, or no longer. Throws the file system's error where that can't be done. */
export function setStartAtLogin(isWanted: boolean): void {
  if (process.platform !== 'linux') {
    app.setLoginItemSettings({ openAtLogin: isWanted, args: [HIDDEN_FLAG] });
    return;
  }
  const path = autostartFile();
  if (!isWanted) {
    rmSync(path, { force: true });
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, autostartEntry(startCommand()));
}

/** Electron starts nothing at login on Linux; desktops read this folder (the XDG autostart specification). */
export function autostartFile(env: Readonly<Record<string, string | undefined>> = process.env): string {
  return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'autostart', 'wellhouse.desktop');
}

/** How this very program is started: the AppImage itself, the installed binary, or Electron with the built folder. */
function startCommand(): string[] {
  const program = process.env.APPIMAGE || process.execPath;
  return [program, ...(app.isPackaged ? [] : [app.getAppPath()]), HIDDEN_FLAG];
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
