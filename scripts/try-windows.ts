import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { desktopFiles } from '../src/main/data-folder/own-files.ts';
import { NodeHost } from '../src/main/node/node-host.ts';
import { stringifyJson64 } from '../src/shared/protocol/json64.ts';
import { SimulatedDevice } from '../src/simulator/device.ts';

// Parts of scripts/try-windows.sh. `talk URL SEQ` registers a device, sends a signed reading and counts the stored
// readings. It runs on Linux's Node, because Node can't connect under Wine. `move FOLDER` runs the node as the desktop
// app does and moves its data. It runs on Windows' Node.

const SEED = Buffer.alloc(32, 7);
const TIME = 1_795_000_000_000;

const [phase, where = '', seq = '1'] = process.argv.slice(2);
if (phase === 'talk') await talk(where, Number(seq));
else if (phase === 'move') await move(where);
else throw new Error(`no such phase: ${phase}`);

async function send(url: string, value: unknown): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(url, { method: 'POST', headers, body: stringifyJson64(value) })).status;
}

async function talk(url: string, number: number): Promise<void> {
  const device = new SimulatedDevice({ name: 'Cistern', seed: SEED, mac: '020000000001' });
  const registered = await send(
    `${url}/v1/devices`,
    device.registration({ publishTo: 0, ownerPubkey: '0'.repeat(64) }),
  );
  const block = device.block({ seq: number, timestamp: TIME + number, plain: { ph: 6.5 } });
  const taken = await send(`${url}/v1/telemetry`, { blocks: [block] });
  const { readings } = (await (await fetch(`${url}/v1/devices/${device.id}/telemetry`)).json()) as {
    readings: unknown[];
  };
  console.log(`register ${registered}, block ${taken}, kept ${readings.length}`);
  if (taken !== 200 || readings.length !== number) process.exitCode = 1;
}

async function move(folder: string): Promise<void> {
  const log = pino({ level: 'silent' });
  const env = { LOCAL_PORT: '0', PUBLIC_PORT: '0' };
  const host = new NodeHost({ env, files: desktopFiles(folder), log, ownerView: 'desktop', recentLog: () => '' });
  const running = async () => {
    while (host.state.state === 'starting' || host.state.state === 'moving') await sleep(50);
    if (host.state.state !== 'running') throw new Error(JSON.stringify(host.state));
  };
  await host.start();
  await running();
  const [from, to] = [join(folder, 'data'), join(folder, 'new', 'place')];
  const toNowhere = await host.call('moveData', { to: 'Q:\\no\\such\\drive' });
  await running();
  const { move: ended } = ((await host.call('getMoves', {})) as { value: { move: object | null } }).value;
  console.log(`to a drive that is missing: ${JSON.stringify(toNowhere)} ${JSON.stringify(ended)}`);
  await host.call('moveData', { to });
  await running();
  console.log(`to another folder: ${existsSync(join(to, 'private.db')) ? 'moved' : 'not moved'}`);
  await host.call('deleteOldData', { path: from, confirm: from });
  console.log(`left behind: ${readdirSync(from).join(', ')}`);
  await host.stop();
  if (!existsSync(join(to, 'private.db')) || existsSync(join(from, 'private.db'))) process.exitCode = 1;
}
