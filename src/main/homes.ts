import { homedir } from 'node:os';
import { join } from 'node:path';
import { movedTo } from './data-marker.ts';
import type { SettingDefaults } from './settings.ts';

/** Where a home of the node keeps its things. */
export interface Home {
  /** The settings file. */
  readonly settingsFile: string;
  readonly defaults: SettingDefaults;
}

type Environment = Readonly<Record<string, string | undefined>>;

const APP = 'Wellhouse';

/** The folder of the desktop app's own files, where Electron puts it for an app of this name. */
export function desktopFolder(env: Environment, platform: NodeJS.Platform): string {
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', APP);
  if (platform === 'win32') return join(env.APPDATA || join(homedir(), 'AppData', 'Roaming'), APP);
  return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), APP);
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
  };
}

/** The home of the headless node: the settings lie in its data folder, which only DATA_DIR names. */
export function headlessHome(env: Environment): Home {
  const defaults = { dataDir: './data', publicEnabled: true };
  return { settingsFile: join(env.DATA_DIR || defaults.dataDir, 'settings.json'), defaults };
}
