import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readingsOf } from './client.ts';
import { startProcess } from './node-process.ts';
import { call } from './owner-client.ts';

/**
 * Run this in the node's network namespace with the name of the device's namespace. It accepts the device through the
 * gate, pulls its cable, plugs it in again, and prints the outcomes of the readings. See test/long/gate-cable.test.ts.
 */
const [device = '', link = '', nodeAddress = '', deviceAddress = ''] = process.argv.slice(2);
const PAGE = `${deviceAddress}:8090`;
const WITHIN_MS = 60_000;

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + WITHIN_MS;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${WITHIN_MS / 1000} s`);
    await delay(100);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'cable-'));
const node = await startProcess({ args: ['--ui'], env: { GATE_ADDRESS: nodeAddress } });
const flags = [
  '--portal',
  '--portal-address',
  PAGE,
  '--interval',
  '0.4',
  '--speed',
  '1',
  '--state',
  join(folder, 'state'),
];
const simulator = ['src/simulator/cli.ts', ...flags];
// Its output goes to stderr: the last line of stdout is this script's own.
const running = spawn('ip', ['netns', 'exec', device, process.execPath, ...simulator], { stdio: ['ignore', 2, 2] });
const cable = (state: 'up' | 'down') => execFileSync('ip', ['-n', device, 'link', 'set', link, state]);
const asked = () => call(node, 'askDevice', { id: null, address: PAGE });
const gate = async () => (await call(node, 'gate', {})).gate.state;
try {
  await until('the device answers', async () => (await asked()).state === 'answered');
  const found = await asked();
  if (found.state !== 'answered') throw new Error('it no longer answers');
  const { id } = found.says;
  await call(node, 'openJoining', { closesAfterOne: true });
  const before = { external: [], local: [] };
  const after = { ...before, local: [{ name: 'Wellhouse', url: `${nodeAddress}:8080` }] };
  const { state } = await call(node, 'pointDevice', { id, address: PAGE, before, after });
  if (state !== 'told') throw new Error(`the device was not told: ${state}`);
  const readings = () => readingsOf(node.url('local'), id);
  await until('readings come', async () => (await readings()).length >= 3);

  cable('down');
  const downAt = Date.now();
  await until('the gate has lost its address', async () => (await gate()) === 'waiting');
  const stored = (await readings()).length;
  // The pending post is given up after eight seconds. Later posts fail at once, and their readings are stored on the
  // device.
  await delay(12_000);
  if ((await readings()).length !== stored) throw new Error('readings came without a cable');
  cable('up');
  const upAt = Date.now();
  await until('the gate has its address again', async () => (await gate()) === 'listening');
  await until('the device has sent what it kept', async () => {
    const says = await asked();
    if (says.state !== 'answered' || says.says.bufferPending !== 0 || says.says.failStreak !== 0) return false;
    return (await readings()).some(({ timestamp }) => Number(timestamp) > upAt);
  });
  const all = await readings();
  const seqs = all.map(({ seq }) => Number(seq)).sort((one, other) => one - other);
  const missing = seqs.at(-1)! - seqs[0]! + 1 - seqs.length;
  const meanwhile = all.filter(({ timestamp }) => Number(timestamp) > downAt && Number(timestamp) < upAt).length;
  console.log(JSON.stringify({ meanwhile, missing }));
} finally {
  running.kill('SIGTERM');
  await node.dispose();
  rmSync(folder, { recursive: true, force: true });
}
