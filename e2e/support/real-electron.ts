import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { _electron, type Page } from '@playwright/test';
import { findElectron } from '../../scripts/find-electron.ts';
import type { DesktopOptions, Operate } from './desktop-app.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROBE = fileURLToPath(new URL('./electron-probe.cjs', import.meta.url));

/** Launches the built app in a real Electron, with a probe that offers what the stand-in's channel offers. */
export async function launchReal(env: Record<string, string>, options: DesktopOptions) {
  // Chromium runs as root only without its sandbox.
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const app = await _electron.launch({
    executablePath: findElectron()!,
    args: [...asRoot, '-r', PROBE, ROOT, ...(options.args ?? [])],
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
