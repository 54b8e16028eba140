import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = 'node_modules/electron';

/**
 * The Electron binary: the one that ELECTRON_PATH names, one in the folder of ELECTRON_OVERRIDE_DIST_PATH, or the one of
 * the `electron` package; null where there is none. Never `require('electron')`: that would start a download. Throws an
 * Error of one line where ELECTRON_PATH names nothing that runs.
 */
export function findElectron(env: Readonly<Record<string, string | undefined>> = process.env): string | null {
  if (env.ELECTRON_PATH) {
    if (!isExecutable(env.ELECTRON_PATH))
      throw new Error(`ELECTRON_PATH names ${env.ELECTRON_PATH}, which can't be run`);
    return env.ELECTRON_PATH;
  }
  const pathFile = join(PACKAGE, 'path.txt');
  const name = existsSync(pathFile) ? readFileSync(pathFile, 'utf8').trim() : 'electron';
  const folder = env.ELECTRON_OVERRIDE_DIST_PATH || join(PACKAGE, 'dist');
  const path = join(folder, name);
  return isExecutable(path) ? path : null;
}

/** Whether this session can show a window. */
export function hasDisplay(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
): boolean {
  return platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
