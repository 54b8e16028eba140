import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { movedTo } from './data-marker.ts';
import type { SettingDefaults } from './settings.ts';

/** Where a home of the node keeps its things. */
export interface Home {
  /** The settings file. */
  readonly settingsFile: string;
  readonly defaults: SettingDefaults;
  /** The data folder that is made where there is none; any other has to hold data, unless the environment names it. */
  readonly ownDataDir: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const APP = 'Wellhouse';

/** The folder of the desktop app's own files, where Electron puts it for an app of this name. */
export function desktopFolder(env: Environment, platform: NodeJS.Platform): string {
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', APP);
  if (platform === 'win32') return join(env.APPDATA || join(homedir(), 'AppData', 'Roaming'), APP);
  return join(configFolder(env), APP);
}

/** Where programs keep their settings on Linux; one that is relative is ignored (XDG Base Directory Specification). */
export function configFolder({ XDG_CONFIG_HOME = '' }: Environment): string {
  return isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(homedir(), '.config');
}

/**
 * The home of the desktop app: its settings lie beside the data folder, which is one of them. Where the file does not
 * name the folder, as after it was lost, the mark of a move leads to it.
 */
export function desktopHome(folder: string): Home {
  const dataDir = join(folder, 'data');
  return {
    settingsFile: join(folder, 'settings.json'),
    defaults: { dataDir: movedTo(dataDir) ?? dataDir, publicEnabled: false },
    ownDataDir: dataDir,
  };
}

/** The home of the headless node: the settings lie in its data folder, which only DATA_DIR names. */
export function headlessHome(env: Environment): Home {
  const defaults = { dataDir: './data', publicEnabled: true };
  const { dataDir: ownDataDir } = defaults;
  return { settingsFile: join(env.DATA_DIR || ownDataDir, 'settings.json'), defaults, ownDataDir };
}
