import { type ChildProcess, spawn } from 'node:child_process';
import { hasDisplay } from '../../scripts/find-electron.ts';
import { electronForTests } from './electron-for-tests.ts';
import { findChromium } from './find-chromium.ts';

const XVFB_WITHIN_MS = 10_000;

/**
 * Finds what the tests run in once, before any test, and says which it is; the workers inherit it. Returns what ends it
 * again.
 */
export default async function globalSetup(): Promise<() => void> {
  try {
    const { binary: electron, why } = electronForTests();
    const where = electron === null ? `its stand-in: ${why}` : `Electron, ${electron}`;
    console.log(`e2e: the desktop app runs in ${where}`);
    const { path, version, from } = findChromium({ prefersShell: true });
    process.env.WELLHOUSE_E2E_CHROMIUM = path;
    console.log(`e2e: ${version} at ${path} (${from})`);
    const display = electron === null || hasDisplay() ? null : await startXvfb();
    return () => display?.kill();
  } catch (error) {
    // Without the stack of a crash: one line that says what is missing.
    console.error(`e2e: ${(error as Error).message}`);
    process.exit(1);
  }
}

/** A display for a real Electron where the machine has none; it picks a free number by itself. */
async function startXvfb(): Promise<ChildProcess> {
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1200x24'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const number = await new Promise<string>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`there is no display, and Xvfb ${why}: apt-get install xvfb`));
    setTimeout(() => fail('did not start in time'), XVFB_WITHIN_MS).unref();
    server.on('error', ({ message }) => fail(`can't be started (${message})`));
    server.stdio[3]!.once('data', (text: Buffer) => resolve(text.toString().trim()));
  });
  process.env.DISPLAY = `:${number}`;
  return server;
}
