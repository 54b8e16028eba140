import { type ChildProcess, spawn } from 'node:child_process';
import { hasDisplay } from '../../scripts/find-electron.ts';
import { electronForTests } from './electron-for-tests.ts';
import { findChromium } from './find-chromium.ts';

const XVFB_WITHIN_MS = 10_000;

/**
 * Finds the browser and the Electron once, before any test, and prints them. The workers inherit the result. Returns a
 * function that ends the display.
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
    // One line that says what is missing, without a stack trace.
    console.error(`e2e: ${(error as Error).message}`);
    process.exit(1);
  }
}

/** Starts a display for a real Electron if the machine has none. It chooses a free number by itself. */
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
