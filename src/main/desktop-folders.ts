import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where the desktop app keeps things. */
export interface DesktopFolders {
  /** Holds all of the others, and what Chromium keeps of its own. */
  readonly base: string;
  readonly settingsFile: string;
  /** Stores and identity, unless the owner chose another folder. */
  readonly dataDir: string;
  readonly logDir: string;
}

/**
 * The folders of this user. They are found without Electron, so that a start without a window finds the same data,
 * settings and identity.
 */
export function desktopFolders(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
  home: string = homedir(),
): DesktopFolders {
  const base = join(userFolder(env, platform, home), 'wellhouse');
  return {
    base,
    settingsFile: join(base, 'settings.json'),
    dataDir: join(base, 'data'),
    logDir: join(base, 'logs'),
  };
}

/** Where programs of this platform keep what belongs to a user: the same as Electron's `appData`. */
function userFolder(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform, home: string) {
  if (platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return env.XDG_CONFIG_HOME || join(home, '.config');
}
