import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPhrase, firmwareSeed } from '../src/shared/crypto/phrase/phrase.ts';
import { BlockSource } from '../src/simulator/block-source.ts';
import { DeviceFeed, pause } from '../src/simulator/feed.ts';
import { WireClient } from '../src/simulator/wire-client.ts';
import { demoDevices, setUpDemo } from './demo-devices.ts';
import { type DemoDevice, HISTORY_DAYS, registrationOf, writeHistory } from './demo-history.ts';
import { SEASON, seasonDevices, writeSeason } from './demo-season.ts';

// Runs a temporary node with the owner's view and simulated devices. It leaves no files behind.

const HOUR_MS = 3_600_000;
const LIVE_EVERY_MS = 5000;
const LINK = /http:\/\/127\.0\.0\.1:[0-9]+\/ui\/#token=[A-Za-z0-9_-]+/;

const HELP = `A temporary node with the owner's view and three simulated devices; it leaves nothing behind.

Usage: npm run demo [-- --season | --help]

  --season   two places with tomatoes instead, planted 90 days ago: stages, log, tasks, harvests

LOCAL_PORT is the port that the view is served at; unset takes a free one.
`;

const words = process.argv.slice(2);
const isSeason = words.includes('--season');
const [unknown] = words.filter((word) => word !== '--season');
if (unknown !== undefined) {
  const isHelp = unknown === '--help' || unknown === '-h';
  if (isHelp) process.stdout.write(HELP);
  else process.stderr.write(`demo: there is no option ${JSON.stringify(unknown)}; see --help\n`);
  process.exit(isHelp ? 0 : 2);
}

const folder = mkdtempSync(join(tmpdir(), 'wellhouse-demo-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());

process.exitCode = await main();

async function main(): Promise<number> {
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  const phrase = createPhrase();
  const ownerSeed = firmwareSeed(phrase);
  const devices = isSeason ? seasonDevices(ownerSeed) : demoDevices(ownerSeed);
  const days = isSeason ? SEASON.days : HISTORY_DAYS;
  console.log(`Writing ${days} days of readings of ${devices.length} devices into ${folder}`);
  writeHistory(dataDir, devices, ownerSeed, isSeason ? SEASON : undefined);
  if (stop.signal.aborted) return 0;

  const entry = fileURLToPath(new URL('../out/main/headless.js', import.meta.url));
  const node = spawn(process.execPath, [entry, '--ui', '--print-link'], {
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      PUBLIC_ENABLED: 'false',
      LOCAL_PORT: process.env.LOCAL_PORT ?? '0',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A separate process group: Ctrl-C reaches only this process, which then stops the node.
    detached: process.platform !== 'win32',
  });
  process.on('exit', () => node.kill('SIGKILL'));
  const ended = new Promise<number>((resolve) => node.once('close', (code) => resolve(code ?? 1)));
  stop.signal.addEventListener('abort', () => node.kill('SIGTERM'));
  let output = '';
  const link = new Promise<string>((resolve) => {
    node.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const found = LINK.exec(output)?.[0];
      if (found === undefined) return;
      resolve(found);
      output = '';
    });
  });
  const found = await Promise.race([link, ended]);
  if (typeof found === 'number') return stop.signal.aborted ? 0 : found;
  const isOpened = openInBrowser(found);
  console.log(`${isOpened ? 'Opened in the browser' : 'Open in a browser'}: ${found}`);
  console.log(`The owner phrase of these devices (their sealed fields open with it): ${phrase}`);
  console.log('Ctrl-C stops; nothing is left behind.');
  if (isSeason) await writeSeason(new URL(found), devices);
  else await setUpDemo(new URL(found), devices);
  const feeding = goLive(devices, ownerSeed, new URL(found).origin);
  const code = await ended;
  const isWanted = stop.signal.aborted;
  stop.abort();
  await feeding;
  return isWanted ? 0 : code;
}

/** Lets the devices that are not silent post a reading every few seconds. */
async function goLive(devices: readonly DemoDevice[], ownerSeed: Uint8Array, url: string): Promise<void> {
  const client = new WireClient(url);
  const startedAt = Date.now();
  const live = devices.filter(({ lastAt }) => Date.now() - lastAt < HOUR_MS);
  await Promise.all(
    live.map(async (demo) => {
      let seq = BigInt(HISTORY_DAYS * 24 * 60 + 1);
      const source = new BlockSource(demo.device, () => seq++, {
        ownerSeed,
        keyVersion: demo.encrypt.length > 0 ? 1 : 0,
        encrypt: new Set(demo.encrypt),
        bootedAt: demo.bootedAt,
        ...(demo.drifts ? { drift: { fields: new Map([['ph', 'low']]), from: startedAt } } : {}),
      });
      const feed = new DeviceFeed(client, source, registrationOf(demo), () => {});
      while (!stop.signal.aborted) {
        const now = Date.now();
        await feed.tick({ measuredAt: now, datedAt: now }, stop.signal);
        await pause(LIVE_EVERY_MS, stop.signal);
      }
    }),
  );
  client.close();
}

/** Opens the link if there is a desktop. Returns whether it was tried. */
function openInBrowser(link: string): boolean {
  const hasDesktop = process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  if (!process.stdout.isTTY || !hasDesktop) return false;
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['open', link]
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', '', link]
        : ['xdg-open', link];
  const child = spawn(command!, args, { stdio: 'ignore', detached: true });
  child.on('error', () => console.log('No browser could be opened.'));
  child.unref();
  return true;
}
