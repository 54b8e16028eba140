import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** The options of a fetch. Tests use shorter times and their own installers. */
export interface Fetch {
  /** The script that fetches and unpacks Electron: that of the electron package, which has the checksums. */
  readonly installer: string;
  /** The folder that it unpacks to. */
  readonly target: string;
  /**
   * The time in which at least `leastBytes` must arrive, in milliseconds. Behind a firewall that drops packets, the
   * installer alone would wait for minutes.
   */
  readonly stalledAfterMs: number;
  /** The least number of bytes that must arrive in that time. At a lower rate, the whole would take half a day. */
  readonly leastBytes: number;
  readonly lookEveryMs: number;
  readonly say: (line: string) => void;
}

const PACKAGE = join('node_modules', 'electron');
const FETCH: Fetch = {
  installer: join(PACKAGE, 'install.js'),
  target: join(PACKAGE, 'dist'),
  stalledAfterMs: 15_000,
  leastBytes: 64 * 1024,
  lookEveryMs: 1000,
  say: console.log,
};
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const SAY_EVERY_BYTES = 20_000_000;

/**
 * Fetches the Electron binary, which is not part of its package. Resolves with whether it is there now; prints why it
 * is not.
 */
export async function fetchElectron(env: Environment, fetch: Partial<Fetch> = {}): Promise<boolean> {
  const { installer, target, stalledAfterMs, leastBytes, lookEveryMs, say } = { ...FETCH, ...fetch };
  say('wellhouse: fetching Electron for the window, once (about 120 MB); npm start -- --browser does without it');
  const temporary = mkdtempSync(join(tmpdir(), 'wellhouse-electron-'));
  const child = spawn(process.execPath, [installer], {
    env: { ...env, ...proxied(env), TMPDIR: temporary, TEMP: temporary, TMP: temporary, ELECTRON_GET_NO_PROGRESS: '1' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  // The installer would continue by itself, and its folder would remain.
  const end = (signal: (typeof SIGNALS)[number]) => {
    child.once('close', () => {
      rmSync(temporary, { recursive: true, force: true });
      process.exit(128 + constants.signals[signal]);
    });
    child.kill('SIGKILL');
  };
  for (const signal of SIGNALS) process.on(signal, end);
  let isStalled = false;
  let arrived = bytesIn(temporary, target);
  let arrivedAt = performance.now();
  let said = 0;
  const timer = setInterval(() => {
    const now = bytesIn(temporary, target);
    if (Math.abs(now - arrived) >= leastBytes) [arrived, arrivedAt] = [now, performance.now()];
    const fetched = bytesIn(temporary);
    if (fetched - said >= SAY_EVERY_BYTES) {
      said = fetched;
      say(`wellhouse: ${Math.round(fetched / 1e6)} MB of Electron fetched`);
    }
    if (performance.now() - arrivedAt < stalledAfterMs) return;
    isStalled = true;
    child.kill('SIGKILL');
  }, lookEveryMs);
  const code = await new Promise<number | null>((resolve) => {
    child.on('error', () => resolve(null));
    child.on('close', resolve);
  });
  clearInterval(timer);
  for (const signal of SIGNALS) process.off(signal, end);
  rmSync(temporary, { recursive: true, force: true });
  if (isStalled) say(`wellhouse: Electron was not fetched: next to nothing arrived for ${stalledAfterMs / 1000} s`);
  else if (code !== 0) {
    const source = env.ELECTRON_MIRROR ?? 'GitHub';
    say(
      `wellhouse: Electron was not fetched from ${source}; HTTPS_PROXY names a proxy, ELECTRON_MIRROR another source`,
    );
  }
  return code === 0;
}

/**
 * Returns the variables that make Node's fetch and the installer use a proxy of the environment; none if it has no
 * proxy.
 */
function proxied(env: Environment): Record<string, string> {
  const isSet = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].some((name) => env[name]);
  return isSet ? { NODE_USE_ENV_PROXY: '1', ELECTRON_GET_USE_PROXY: 'true' } : {};
}

/** Returns the total size of the files in these folders. */
function bytesIn(...folders: readonly string[]): number {
  let bytes = 0;
  for (const folder of folders) {
    try {
      for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
      }
    } catch {
      // The folder does not exist yet, or was removed in the meantime.
    }
  }
  return bytes;
}
