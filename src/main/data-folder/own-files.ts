import { homedir } from 'node:os';
import { isAbsolute, join, posix, win32 } from 'node:path';
import { SETTINGS } from '../../shared/settings/table.ts';
import type { SettingDefaults } from '../settings/settings.ts';
import { movedTo } from './data-marker.ts';

/** The places of a program's own files. */
export interface OwnFiles {
  /** The settings file. */
  readonly settingsFile: string;
  readonly defaults: SettingDefaults;
  /**
   * The data folder that is created if it does not exist. Any other folder must have data, unless the environment names
   * it.
   */
  readonly ownDataDir: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const APP = 'Wellhouse';

/** Returns the folder of the desktop app's own files: the place that Electron uses for an app of this name. */
export function desktopFolder(env: Environment, platform: NodeJS.Platform, user = homedir()): string {
  if (platform === 'darwin') return posix.join(user, 'Library', 'Application Support', APP);
  if (platform === 'win32') return win32.join(env.APPDATA || win32.join(user, 'AppData', 'Roaming'), APP);
  return posix.join(configFolder(env, user), APP);
}

/**
 * Returns the folder for programs' settings on Linux. A relative XDG_CONFIG_HOME is ignored (XDG Base Directory
 * Specification).
 */
export function configFolder({ XDG_CONFIG_HOME = '' }: Environment, user = homedir()): string {
  return isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : posix.join(user, '.config');
}

/**
 * Returns the files of the desktop app. Its settings are next to the data folder, which is one of them. If the settings
 * file is lost and does not name the folder, the mark of a move leads to it.
 */
export function desktopFiles(folder: string): OwnFiles {
  const dataDir = join(folder, SETTINGS.dataDir.desktopDefault!);
  return {
    settingsFile: join(folder, 'settings.json'),
    defaults: { dataDir: movedTo(dataDir) ?? dataDir, publicEnabled: SETTINGS.publicEnabled.desktopDefault! },
    ownDataDir: dataDir,
  };
}

/** Returns the files of the headless node. The settings are in its data folder, which only DATA_DIR can change. */
export function headlessFiles(env: Environment): OwnFiles {
  const defaults = { dataDir: SETTINGS.dataDir.default, publicEnabled: SETTINGS.publicEnabled.default };
  const { dataDir: ownDataDir } = defaults;
  return { settingsFile: join(env.DATA_DIR || ownDataDir, 'settings.json'), defaults, ownDataDir };
}
