import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';

/** The paths of installed browsers. The tests run any of them with a separate profile, never the owner's. */
const PATHS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'],
  darwin: ['Chromium', 'Google Chrome', 'Microsoft Edge'].map(
    (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
  ),
  win32: ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA'].flatMap((variable) =>
    [
      'Chromium\\Application\\chrome.exe',
      'Google\\Chrome\\Application\\chrome.exe',
      'Microsoft\\Edge\\Application\\msedge.exe',
    ].map((path) => `${process.env[variable] ?? 'C:'}\\${path}`),
  ),
};
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
/** Chromium without windows: the same engine for half the work, because its pages need no browser around them. */
const HEADLESS_SHELL = 'chromium-headless-shell';
const APT = 'DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends';

/** The suggestions of the address bar, which are pages: a whole Chromium loads one beside each window. */
const ADDRESS_BAR = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'];

/**
 * Arguments for tests. Without a GPU process Chromium takes 8 % less processor time to draw in software; without the
 * pages of its address bar, a test that opens one page takes a fifth less.
 */
export const LEAN: readonly string[] = [
  '--disable-gpu',
  '--in-process-gpu',
  `--disable-features=${[...disabledByPlaywright(), ...ADDRESS_BAR].join(',')}`,
];

/** The Chromium that is used, and its origin. */
export interface FoundChromium {
  readonly path: string;
  readonly version: string;
  /** Where it was found, in words. */
  readonly from: string;
}

/**
 * Finds a Chromium: that of CHROMIUM_PATH, else the system's. As root on Debian, installs it if there is none. Throws
 * an Error of one line if there is no Chromium. `prefersShell` prefers the headless shell.
 */
export function findChromium({ prefersShell = false } = {}): FoundChromium {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen) {
    if (!isExecutable(chosen)) throw new Error(`CHROMIUM_PATH names ${chosen}, which can't be run`);
    return describe(chosen, 'CHROMIUM_PATH');
  }
  const found = installed(prefersShell);
  if (found !== undefined) return describe(found, 'installed');
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || onPath('apt-get') === undefined) {
    const why = isRoot ? 'there is no apt-get to install one' : 'only root can install one by apt-get';
    throw new Error(`no Chromium was found and ${why}; install chromium or set CHROMIUM_PATH`);
  }
  const wanted = [...(prefersShell ? [HEADLESS_SHELL] : []), 'chromium'].map((name) => `${APT} ${name} </dev/null`);
  const { status, stderr } = spawnSync('sh', ['-c', `apt-get update -qq && { ${wanted.join(' || ')}; }`], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  const fresh = installed(prefersShell);
  if (status !== 0 || fresh === undefined) {
    const last = stderr.trim().split('\n').at(-1) ?? '';
    throw new Error(`no Chromium was found and apt-get could not install it (${last}); set CHROMIUM_PATH`);
  }
  return describe(fresh, 'installed by apt-get just now');
}

/** Returns the features that Playwright turns off: of two `--disable-features`, Chromium takes only the last. */
function disabledByPlaywright(): string[] {
  const bundle = createRequire(import.meta.url).resolve('playwright-core/lib/coreBundle');
  const list = /disabledFeatures = \[([^\]]+)\]/.exec(readFileSync(bundle, 'utf8'))?.[1];
  if (list === undefined) throw new Error(`${bundle} does not say which features Playwright turns off`);
  return Array.from(list.matchAll(/^\s*"(\w+)"/gm), ([, name]) => name!);
}

function installed(prefersShell: boolean): string | undefined {
  const shell = prefersShell ? onPath(HEADLESS_SHELL) : undefined;
  return shell ?? PATHS[process.platform]?.find(isExecutable) ?? NAMES.map(onPath).find((path) => path !== undefined);
}

function onPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function describe(path: string, from: string): FoundChromium {
  // On Windows, a browser that is asked for its version opens a window instead, with the owner's profile.
  if (process.platform === 'win32') return { path, version: 'a browser of unknown version', from };
  const { status, stdout, error } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 20_000 });
  if (status !== 0)
    throw new Error(`${path} does not start (${error?.message ?? `exit ${status}`}); set CHROMIUM_PATH`);
  return { path, version: stdout.trim(), from };
}
