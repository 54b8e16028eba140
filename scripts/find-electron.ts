import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const PACKAGE = 'node_modules/electron';
type Environment = Readonly<Record<string, string | undefined>>;

/** A variable names something other than an Electron distribution or its binary. The message is one line. */
export class NoElectronError extends Error {}

/**
 * Returns the path of the Electron binary, with links resolved: that of ELECTRON_PATH, the one in the folder of
 * ELECTRON_OVERRIDE_DIST_PATH, or that of the `electron` package; null if there is none. Never uses
 * `require('electron')`: that would start a download. Throws NoElectronError if a variable names no such binary.
 */
export function findElectron(
  env: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
): string | null {
  if (env.ELECTRON_PATH) {
    const binary = binaryAt(env.ELECTRON_PATH, platform);
    if (binary !== null) return binary;
    throw new NoElectronError(
      `ELECTRON_PATH names ${env.ELECTRON_PATH}, which is not the binary of an Electron distribution`,
    );
  }
  if (env.ELECTRON_OVERRIDE_DIST_PATH) {
    const binary = binaryAt(join(env.ELECTRON_OVERRIDE_DIST_PATH, binaryName(platform)), platform);
    if (binary !== null) return binary;
    throw new NoElectronError(
      `ELECTRON_OVERRIDE_DIST_PATH names ${env.ELECTRON_OVERRIDE_DIST_PATH}, which contains no Electron distribution`,
    );
  }
  // This file is written last: without it, the distribution may be only partly unpacked.
  const isWhole = existsSync(join(PACKAGE, 'path.txt'));
  return isWhole ? binaryAt(join(PACKAGE, 'dist', binaryName(platform)), platform) : null;
}

/**
 * Returns the folder of a binary's distribution, which electron-builder copies as a whole; null if the binary is in no
 * distribution: another folder, such as /usr/bin, must never count as one.
 */
export function distributionOf(binary: string, platform: NodeJS.Platform = process.platform): string | null {
  if (platform === 'darwin') {
    const contents = dirname(dirname(binary));
    const isApp = existsSync(join(contents, 'Frameworks', 'Electron Framework.framework'));
    return isApp ? dirname(dirname(contents)) : null;
  }
  const folder = dirname(binary);
  const isWhole =
    isFile(join(folder, 'version')) && isFile(join(folder, 'icudtl.dat')) && existsSync(join(folder, 'resources'));
  return isWhole ? folder : null;
}

/** Returns whether this session can show a window. */
export function hasDisplay(env: Environment = process.env, platform: NodeJS.Platform = process.platform): boolean {
  return platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

/** Returns the binary's place in a distribution, as in the electron package. */
function binaryName(platform: NodeJS.Platform): string {
  if (platform === 'win32') return 'electron.exe';
  return platform === 'darwin' ? join('Electron.app', 'Contents', 'MacOS', 'Electron') : 'electron';
}

function binaryAt(path: string, platform: NodeJS.Platform): string | null {
  try {
    const binary = realpathSync(path);
    accessSync(binary, constants.X_OK);
    // A folder may be executable too.
    return isFile(binary) && distributionOf(binary, platform) !== null ? binary : null;
  } catch {
    return null;
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
