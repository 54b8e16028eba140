import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { app } from 'electron';
import type { Logger } from 'pino';
import { autostartEntry, autostartFile, withCommand } from '../linux/autostart-entry.ts';

/** Marks a start at login: the window stays in the tray. */
const HIDDEN_FLAG = '--hidden';

/** Returns whether this start shows no window. macOS passes no flag, but reports a start at login. */
export function isHiddenStart(): boolean {
  if (process.argv.includes(HIDDEN_FLAG)) return true;
  return process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin;
}

/** Returns whether the app can start at login. From a clone, macOS would start a bare Electron. */
export function canStartAtLogin(): boolean {
  return process.platform !== 'darwin' || app.isPackaged;
}

/** Enables or disables the start at login. Throws if that fails. */
export function setStartAtLogin(isWanted: boolean): void {
  if (process.platform === 'linux') setOnLinux(isWanted);
  else if (process.platform === 'win32') app.setLoginItemSettings({ openAtLogin: isWanted, ...windowsCommand() });
  else setOnMac(isWanted);
}

/**
 * Updates an existing entry to this program, which may have moved. It changes nothing else: if the user disabled or
 * removed the entry in the system's settings, that stays. On Windows and macOS a new entry would enable it again.
 */
export function renewStartAtLogin(log: Logger): void {
  if (process.platform !== 'linux') return;
  try {
    const path = autostartFile();
    const entry = readFileSync(path, 'utf8');
    const renewed = withCommand(entry, linuxCommand());
    if (renewed !== entry) writeFileSync(path, renewed);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    log.warn({ reason: (error as Error).message }, 'the start at login could not be renewed');
  }
}

function setOnLinux(isWanted: boolean): void {
  const path = autostartFile();
  if (!isWanted) {
    rmSync(path, { force: true });
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, autostartEntry(linuxCommand()));
}

/** macOS does not register an unsigned app, and reveals that only when asked afterwards. */
function setOnMac(isWanted: boolean): void {
  app.setLoginItemSettings({ openAtLogin: isWanted });
  if (app.getLoginItemSettings().openAtLogin !== isWanted) throw new Error('macOS did not change the login item');
}

/** Returns the installed binary, or Electron with the folder of the clone. */
function linuxCommand(): string[] {
  return [process.execPath, ...appFolder(), HIDDEN_FLAG];
}

/** Electron quotes only the program, so the arguments are quoted here. */
function windowsCommand(): { path: string; args: string[] } {
  return { path: process.execPath, args: [...appFolder().map((path) => `"${path}"`), HIDDEN_FLAG] };
}

function appFolder(): string[] {
  return app.isPackaged ? [] : [app.getAppPath()];
}
