import { homedir } from 'node:os';
import { isAbsolute, join, posix, win32 } from 'node:path';
import { SETTINGS } from '../../shared/settings/table.ts';
import type { SettingDefaults } from '../settings/settings.ts';
import { movedTo } from './data-marker.ts';

/** Where a program keeps what is its own. */
export interface OwnFiles {
  /** The settings file. */
  readonly settingsFile: string;
  readonly defaults: SettingDefaults;
  /** The data folder that is made where there is none; any other has to hold data, unless the environment names it. */
  readonly ownDataDir: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const APP = 'Wellhouse';

/** The folder of the desktop app's own files, where Electron puts it for an app of this name. */
export function desktopFolder(env: Environment, platform: NodeJS.Platform, user = homedir()): string {
  if (platform === 'darwin') return posix.join(user, 'Library', 'Application Support', APP);
  if (platform === 'win32') return win32.join(env.APPDATA || win32.join(user, 'AppData', 'Roaming'), APP);
  return posix.join(configFolder(env, user), APP);
}

/** Where programs keep their settings on Linux; one that is relative is ignored (XDG Base Directory Specification). */
export function configFolder({ XDG_CONFIG_HOME = '' }: Environment, user = homedir()): string {
  return isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : posix.join(user, '.config');
}

/**
 * The files of the desktop app: its settings lie beside the data folder, which is one of them. If the settings file
 * does not name the folder, as after its loss, the mark of a move leads to it.
 */
export function desktopFiles(folder: string): OwnFiles {
  const dataDir = join(folder, SETTINGS.dataDir.desktopDefault!);
  return {
    settingsFile: join(folder, 'settings.json'),
    defaults: { dataDir: movedTo(dataDir) ?? dataDir, publicEnabled: SETTINGS.publicEnabled.desktopDefault! },
    ownDataDir: dataDir,
  };
}

/** The files of the headless node: the settings lie in its data folder, which only DATA_DIR names. */
export function headlessFiles(env: Environment): OwnFiles {
  const defaults = { dataDir: SETTINGS.dataDir.default, publicEnabled: SETTINGS.publicEnabled.default };
  const { dataDir: ownDataDir } = defaults;
  return { settingsFile: join(env.DATA_DIR || ownDataDir, 'settings.json'), defaults, ownDataDir };
}
