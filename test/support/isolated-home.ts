import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { desktopFolder } from '../../src/main/data-folder/own-files.ts';

/** Compiled code, shared by all that tests start: it saves a sixth of each start. */
export const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/v8', import.meta.url));

/**
 * The variables by which a program finds its user's folders, on each system, all leading into one folder: what a test
 * starts must find nothing of whoever runs the tests, and leave nothing there.
 */
export function isolatedHome(folder: string): Record<string, string> {
  return {
    // Linux and macOS; of macOS also `~/Library`, where nothing but HOME leads.
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

/** Where the desktop app keeps its own files for that user; also for a system that is played, with this machine's paths. */
export function desktopFolderIn(folder: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'win32') return join(folder, 'Wellhouse');
  return desktopFolder(isolatedHome(folder), platform, folder);
}
