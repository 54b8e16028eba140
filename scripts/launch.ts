import { join } from 'node:path';
import { fetchElectron } from './fetch-electron.ts';
import { findElectron, hasDisplay, NoElectronError } from './find-electron.ts';
import { type SystemFiles, sandboxProblem } from './sandbox.ts';

/** How Wellhouse starts here: as the desktop app, or as the node without a window. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  /** Why there is no window; null if there is one. */
  readonly why: string | null;
}

const HELP = `Opens Wellhouse: the desktop app, or the same node with the owner's view in the browser if no window can be opened.

Usage: npm start [-- OPTION…]     once
       npm run dev [-- OPTION…]   built and started again on each change

  --browser       the node with the view in the browser, without a window; nothing is fetched
  --hidden        stay in the tray, as at a start at login (the desktop app alone)
  --new-ui-token  make a new link to the view; the old one no longer works (without a window alone)
  --help          show this and exit

Everything else goes to what is started: switches of Chromium, such as --ozone-platform=wayland, to the desktop app. What
the node without a window takes, and the settings that are environment variables, is in npm run headless -- --help;
DATA_DIR is the desktop app's own folder here, and PUBLIC_ENABLED false, unless they are set.

  ELECTRON_PATH                  the Electron binary to run, inside its distribution
  ELECTRON_OVERRIDE_DIST_PATH    a distribution of Electron, in place of the one in node_modules/electron
  ELECTRON_SKIP_BINARY_DOWNLOAD  set to anything: Electron is not fetched where there is none
  ELECTRON_MIRROR                where it is fetched from, in place of GitHub
  HTTPS_PROXY, HTTP_PROXY        the proxy that it is fetched through
`;

const HEADLESS = join('out', 'main', 'headless.js');
const BROWSER = '--browser';

/** Prints the help if it is asked for. Returns whether it was. */
export function showHelp(args: readonly string[]): boolean {
  const isAsked = args.includes('--help') || args.includes('-h');
  if (isAsked) process.stdout.write(HELP);
  return isAsked;
}

/** The properties of this machine and session that decide which of them can run. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** The user's id; undefined on Windows. */
  readonly uid: number | undefined;
  /** The files with the system's restrictions; by default the system's own. */
  readonly systemFiles?: SystemFiles;
}

const THIS_MACHINE: Machine = { env: process.env, platform: process.platform, uid: process.getuid?.() };

/**
 * Finds out what can run here. Electron's binary is not part of its package: it is fetched once if a window is
 * possible.
 */
export async function chooseLaunch(args: readonly string[], machine: Machine = THIS_MACHINE): Promise<Launch> {
  const { env, platform, uid, systemFiles } = machine;
  const headless = (why: string): Launch => ({
    command: process.execPath,
    args: [HEADLESS, '--desktop', ...args.filter((arg) => arg !== BROWSER)],
    why,
  });
  if (args.includes(BROWSER)) return headless(`${BROWSER} was given`);
  if (!hasDisplay(env, platform)) return headless('there is no display');
  if (platform === 'linux' && uid === 0) return headless('Electron does not run as root');
  try {
    const electron = findElectron(env, platform) ?? (await fetched(env, platform));
    if (electron === null) return headless('the Electron binary is not available');
    const isSandboxed = platform === 'linux' && !args.includes('--no-sandbox');
    const problem = isSandboxed ? sandboxProblem(electron, systemFiles) : null;
    return problem === null ? { command: electron, args: ['.', ...args], why: null } : headless(problem);
  } catch (error) {
    if (!(error instanceof NoElectronError)) throw error;
    return headless(error.message);
  }
}

async function fetched(env: Machine['env'], platform: NodeJS.Platform): Promise<string | null> {
  if (env.ELECTRON_SKIP_BINARY_DOWNLOAD || !(await fetchElectron(env))) return null;
  return findElectron(env, platform);
}

/** Returns the environment of the started program. */
export function launchEnvironment(): Record<string, string> {
  // This variable would make the Electron binary a plain Node.
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
  return env as Record<string, string>;
}

/** Prints in one line why there is no window. */
export function sayWhy({ why }: Launch): void {
  if (why === null) return;
  console.log(`wellhouse: no window, as ${why}; running the node with the owner's view in the browser instead`);
}
