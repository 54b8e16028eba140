import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { app } from 'electron';
import type { Logger } from 'pino';
import { autostartEntry, autostartFile } from './autostart-entry.ts';

/** Tells a start at login: the window stays in the tray. */
const HIDDEN_FLAG = '--hidden';

/** Whether this start shows no window. macOS hands on no flag, but says what it started at login. */
export function isHiddenStart(): boolean {
  if (process.argv.includes(HIDDEN_FLAG)) return true;
  return process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin;
}

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

/** Writes the entry anew where there is to be one: the program may lie elsewhere since, as each AppImage does. */
export function renewStartAtLogin(isWanted: boolean, log: Logger): void {
  if (!isWanted) return;
  try {
    setStartAtLogin(true);
  } catch (error) {
    log.warn({ reason: (error as Error).message }, 'the start at login could not be renewed');
  }
}

/** How this very program is started: the AppImage itself, the installed binary, or Electron with the built folder. */
function startCommand(): string[] {
  const program = process.env.APPIMAGE || process.execPath;
  return [program, ...(app.isPackaged ? [] : [app.getAppPath()]), HIDDEN_FLAG];
}
