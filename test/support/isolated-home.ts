import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { desktopFolder } from '../../src/main/data-folder/own-files.ts';

/** The cache of compiled code for everything that tests start. It saves a sixth of each start. */
export const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/v8', import.meta.url));

/**
 * Returns the variables of a user's folders on each system, all in one folder: a program that a test starts must not
 * use the files of the user who runs the tests, and must leave none there.
 */
export function isolatedHome(folder: string): Record<string, string> {
  return {
    // Linux and macOS. On macOS also for `~/Library`, which only depends on HOME.
    HOME: folder,
    // Windows.
    USERPROFILE: folder,
    APPDATA: folder,
    LOCALAPPDATA: folder,
    // Linux.
    XDG_CONFIG_HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_STATE_HOME: folder,
    XDG_CACHE_HOME: folder,
    NODE_COMPILE_CACHE: COMPILED,
  };
}

/**
 * Returns the folder of the desktop app's own files for that user. For a simulated system, it has this machine's paths.
 */
export function desktopFolderIn(folder: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'win32') return join(folder, 'Wellhouse');
  return desktopFolder(isolatedHome(folder), platform, folder);
}
