import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { app } from 'electron';
import type { Logger } from 'pino';
import { autostartEntry, autostartFile, withCommand } from '../linux/autostart-entry.ts';

/** Tells a start at login: the window stays in the tray. */
const HIDDEN_FLAG = '--hidden';

/** Whether this start shows no window. macOS hands on no flag, but says what it started at login. */
export function isHiddenStart(): boolean {
  if (process.argv.includes(HIDDEN_FLAG)) return true;
  return process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin;
}

/** Whether the app can be made to start at login: from a clone macOS would start a bare Electron. */
export function canStartAtLogin(): boolean {
  return process.platform !== 'darwin' || app.isPackaged;
}

/** Makes the app start at login, or no longer. Throws where that can't be done. */
export function setStartAtLogin(isWanted: boolean): void {
  if (process.platform === 'linux') setOnLinux(isWanted);
  else if (process.platform === 'win32') app.setLoginItemSettings({ openAtLogin: isWanted, ...windowsCommand() });
  else setOnMac(isWanted);
}

/**
 * Lets what was set up lead to this program, which may lie elsewhere since. Nothing else is touched: whoever turned the
 * entry off in the system's own settings, or removed it, keeps it so. On Windows and macOS writing it again would turn it
 * on.
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

/** macOS registers no app without a signature, and says so only when asked afterwards. */
function setOnMac(isWanted: boolean): void {
  app.setLoginItemSettings({ openAtLogin: isWanted });
  if (app.getLoginItemSettings().openAtLogin !== isWanted) throw new Error('macOS did not change the login item');
}

/** The installed binary, or Electron with the folder of the clone. */
function linuxCommand(): string[] {
  return [process.execPath, ...appFolder(), HIDDEN_FLAG];
}

/** Electron puts quotes around the program alone. */
function windowsCommand(): { path: string; args: string[] } {
  return { path: process.execPath, args: [...appFolder().map((path) => `"${path}"`), HIDDEN_FLAG] };
}

function appFolder(): string[] {
  return app.isPackaged ? [] : [app.getAppPath()];
}
