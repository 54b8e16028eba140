import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { _electron, type Page } from '@playwright/test';
import { electronForTests } from './electron-for-tests.ts';
import type { DesktopOptions, Operate, RunningApp } from './running-app.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROBE = fileURLToPath(new URL('./electron-probe.cjs', import.meta.url));
/**
 * The variables of the session that a window needs: the display with its key, and the socket of Wayland. The session's
 * D-Bus is not included: the tests have their own.
 */
const SESSION_VARIABLES = ['DISPLAY', 'XAUTHORITY', 'WAYLAND_DISPLAY', 'XDG_SESSION_TYPE', 'XDG_RUNTIME_DIR'];
/** Chromium's own cookie keys must not go into the keychain or keyring of the user who runs the tests. */
const OWN_KEYS = ['--use-mock-keychain', '--password-store=basic'];

/** Returns the variables of this session that a real window needs, if they are set. */
export function sessionVariables(
  env: Readonly<Record<string, string | undefined>> = process.env,
  home: string = homedir(),
): Record<string, string> {
  const set = SESSION_VARIABLES.filter((name) => env[name]);
  // If it is not set, the key of the display is looked up in HOME, which is another folder in tests.
  const usual = join(home, '.Xauthority');
  const key = env.DISPLAY && !env.XAUTHORITY && existsSync(usual) ? { XAUTHORITY: usual } : {};
  return { ...Object.fromEntries(set.map((name) => [name, env[name]!])), ...key };
}

/** Starts the built app in a real Electron, with a probe that offers the operations of the stand-in's channel. */
export async function launchReal(env: Record<string, string>, options: DesktopOptions): Promise<RunningApp> {
  const app = await _electron.launch({
    executablePath: electronForTests().binary!,
    // By default, Playwright adds --no-sandbox on Linux. As root, Chromium runs only with it.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [...OWN_KEYS, '-r', PROBE, ROOT, ...(options.args ?? [])],
    cwd: ROOT,
    env,
  });
  const process_ = app.process();
  const exited = once(process_, 'close').then(([code]) => code as number | null);
  const operate: Operate = <T>(name: string, ...values: readonly unknown[]) =>
    app.evaluate(
      (_electron_, [operation, given]) =>
        (globalThis as unknown as { probe: (name: string, values: readonly unknown[]) => unknown }).probe(
          operation as string,
          given as readonly unknown[],
        ),
      [name, values] as const,
    ) as Promise<T>;
  const page = (): Promise<Page> => app.firstWindow();
  const end = async () => {
    await app.close().catch(() => {});
  };
  return { operate, exited, page, end };
}
