import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { app } from 'electron';
import { autostartEntry, autostartFile } from './autostart-entry.ts';

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

/** How this very program is started: the AppImage itself, the installed binary, or Electron with the built folder. */
function startCommand(): string[] {
  const program = process.env.APPIMAGE || process.execPath;
  return [program, ...(app.isPackaged ? [] : [app.getAppPath()]), HIDDEN_FLAG];
}
