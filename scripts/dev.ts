import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { chooseLaunch, launchEnvironment, sayWhy, showHelp } from './launch.ts';

// Builds on every change and restarts the app. The app runs as it is shipped, under the same content policy and without
// a bundler's server. electron-vite's own watch mode needs Electron and serves the page in another way.

const SOURCES = 'src';
/**
 * An editor writes a file in several steps, and often more than one file, so this waits until the changes have ended.
 */
const SETTLED_MS = 200;

if (showHelp(process.argv.slice(2))) process.exit();

const launch = await chooseLaunch(process.argv.slice(2));
sayWhy(launch);

let app: ChildProcess | null = null;
let timer: NodeJS.Timeout | undefined;
let isBusy = false;
let isStale = false;
let isStopping = false;

/** Builds, and restarts the app if the build succeeds. Changes during a build are built afterwards. */
async function renew(): Promise<void> {
  if (isBusy) {
    isStale = true;
    return;
  }
  isBusy = true;
  do {
    isStale = false;
    const build = spawn(process.execPath, ['scripts/build-if-needed.ts', '--force'], { stdio: 'inherit' });
    const [code] = (await once(build, 'close')) as [number | null];
    if (code !== 0 || isStopping) continue;
    await endApp();
    app = spawn(launch.command, [...launch.args], { stdio: 'inherit', env: launchEnvironment() });
  } while (isStale && !isStopping);
  isBusy = false;
}

async function endApp(): Promise<void> {
  if (app === null || app.exitCode !== null || app.signalCode !== null) return;
  const ended = once(app, 'close');
  app.kill('SIGTERM');
  await ended;
}

async function stop(): Promise<void> {
  isStopping = true;
  await endApp();
  process.exit();
}
process.on('SIGINT', () => void stop());
process.on('SIGTERM', () => void stop());

watch(SOURCES, { recursive: true }, () => {
  clearTimeout(timer);
  timer = setTimeout(() => void renew(), SETTLED_MS);
});
await renew();
