import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { slowness } from '../../test/support/pace.ts';
import { publicKeyOf } from '../shared/crypto/ed25519.ts';
import { openField } from '../shared/crypto/keyring/field-cipher.ts';
import { deriveFieldKey } from '../shared/crypto/keyring/field-key.ts';
import { firmwareSeed } from '../shared/crypto/phrase/phrase.ts';
import { StubNode } from './stub-node.ts';

const CLI = fileURLToPath(new URL('./cli.ts', import.meta.url));
const PHRASE = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

let node: StubNode;
let url = '';
let directory = '';
const children: ChildProcess[] = [];

beforeEach(async () => {
  node = new StubNode();
  url = await node.listen();
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'simulator-cli-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await node.close();
  fs.rmSync(directory, { recursive: true, force: true });
});

interface Run {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly errors: () => string;
  readonly ended: Promise<number | NodeJS.Signals>;
  readonly until: (text: string | RegExp) => Promise<void>;
}

function simulate(...args: string[]): Run {
  const state = args.includes('--state') ? [] : ['--state', path.join(directory, 'state.json')];
  const child = spawn(process.execPath, [CLI, ...args, ...state], { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  const until = async (text: string | RegExp) => {
    while (!output.match(text)) {
      const more = await Promise.race([once(child.stdout, 'data'), ended.then(() => null)]);
      if (more === null && !output.match(text)) throw new Error(`ended without "${text}": ${output}${errors}`);
    }
  };
  return { child, output: () => output, errors: () => errors, ended, until };
}

const accepted = () => node.accepted.map(({ deviceId, seq }) => `${deviceId} ${seq}`);

test('--once sends past readings until now, all confirmed, and prints the command that shows them', async () => {
  const before = Date.now();
  const run = simulate('--url', url, '--devices', '2', '--backfill', '120', '--once');
  expect(await run.ended).toBe(0);
  expect(run.errors()).toBe('');
  expect(node.devices.size).toBe(2);
  for (const id of node.devices.keys()) {
    const times = node.accepted.filter(({ deviceId }) => deviceId === id).map(({ timestamp }) => Number(timestamp));
    expect(times).toHaveLength(120);
    expect(times.at(-1)).toBeGreaterThanOrEqual(before);
    expect(times.at(-1)).toBeLessThanOrEqual(Date.now());
    expect(times.slice(1).every((time, index) => time - times[index]! === 60_000)).toBe(true);
    expect(run.output()).toContain(`device ${id}, 120 past readings sent, 120 confirmed`);
    expect(run.output()).toContain(`curl -s ${url}/v1/devices/${id}/telemetry`);
  }
});

test('has the same devices with new seqs in the next run, and after a kill', async () => {
  const args = ['--url', url, '--devices', '1', '--backfill', '30'];
  await simulate(...args, '--once').ended;
  const killed = simulate(...args, '--speed', '6000');
  await killed.until('live:');
  await node.until(() => node.accepted.length >= 70);
  killed.child.kill('SIGKILL');
  expect(await killed.ended).toBe('SIGKILL');
  const last = simulate(...args, '--once');
  expect(await last.ended).toBe(0);
  expect(node.devices.size).toBe(1);
  expect(new Set(accepted()).size).toBe(node.accepted.length);
});

test.each(['SIGINT', 'SIGTERM'] as const)('%s: saves, sums up and exits 0', async (signal) => {
  const run = simulate('--url', url, '--devices', '2', '--backfill', '5', '--speed', '600');
  await run.until('live:');
  await node.until(() => node.accepted.length >= 14);
  run.child.kill(signal);
  expect(await run.ended).toBe(0);
  const sums = [...run.output().matchAll(/^[0-9a-f]{8} .*: (\d+) readings sent, (\d+) confirmed$/gm)];
  expect(sums.reduce((sum, [, sent]) => sum + Number(sent), 0)).toBe(node.accepted.length);
  const state = JSON.parse(fs.readFileSync(path.join(directory, 'state.json'), 'utf8'));
  const next = state.devices.map(({ nextSeq }: { nextSeq: string }) => Number(nextSeq) - 1);
  expect(next[0] + next[1]).toBe(node.accepted.length);
  expect(fs.readdirSync(directory)).toEqual(['state.json']);
});

test('SIGINT ends a run within seconds while the node accepts requests and never answers', async () => {
  const server = http.createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const asked = once(server, 'request');
  const { port } = server.address() as AddressInfo;
  const run = simulate('--url', `http://127.0.0.1:${port}`, '--devices', '1', '--backfill', '5');
  await asked;
  const since = performance.now();
  run.child.kill('SIGINT');
  expect(await run.ended).toBe(0);
  // The grace is two seconds; the request itself would wait for eight.
  expect(performance.now() - since).toBeLessThan(6000 * slowness());
  expect(run.output()).toContain('0 readings sent, 0 confirmed');
  server.closeAllConnections();
  server.close();
});

test('live readings have the real time and match the protocol’s schemas', async () => {
  const before = Date.now();
  const run = simulate('--url', url, '--devices', '1', '--backfill', '0', '--speed', '600', '--publish-to', '0');
  await node.until(() => node.accepted.length >= 3);
  run.child.kill('SIGINT');
  await run.ended;
  expect(node.batches.every((batch) => batch.length === 1)).toBe(true);
  for (const { timestamp } of node.accepted) {
    expect(Number(timestamp)).toBeGreaterThanOrEqual(before);
    expect(Number(timestamp)).toBeLessThanOrEqual(Date.now());
  }
  expect([...node.devices.values()]).toMatchObject([{ publishTo: 0 }]);
});

test('--encrypt seals with the key of the owner phrase, the device and the key version', async () => {
  const encrypt = ['--encrypt', 'ph,ec', '--key-version', '7', '--owner-phrase', PHRASE];
  await simulate('--url', url, '--devices', '1', '--backfill', '20', '--once', ...encrypt).ended;
  const seed = firmwareSeed(PHRASE);
  expect([...node.devices.values()]).toMatchObject([{ ownerPubkey: Buffer.from(publicKeyOf(seed)).toString('hex') }]);
  expect(node.accepted).toHaveLength(20);
  const nonces = new Set<string>();
  for (const block of node.accepted) {
    const key = deriveFieldKey(seed, Buffer.from(block.deviceId, 'hex'), 7);
    const { cipher, nonce } = block.ph!;
    const opened = openField(key, Buffer.from(cipher!, 'hex'), Buffer.from(nonce!, 'hex'));
    expect(opened).toMatchObject({ ok: true, value: expect.closeTo(6, 0) });
    nonces.add(nonce!).add(block.ec!.nonce!);
    expect(block).toMatchObject({ keyVersion: 7, humidity: { plain: expect.any(Number) } });
    expect(Buffer.from(block.raw, 'hex').toString()).not.toMatch(/\|(ph|ec)=/);
  }
  expect(nonces.size).toBe(40);
});

test('--no-clock sends milliseconds since the start of the device', async () => {
  await simulate('--url', url, '--devices', '1', '--backfill', '3', '--once', '--no-clock').ended;
  expect(node.accepted.map(({ timestamp }) => timestamp)).toEqual(['60000', '120000', '180000']);
});

test('--once without a node exits with 1 and prints the problem once', async () => {
  await node.close();
  const run = simulate('--url', url, '--devices', '1', '--backfill', '3', '--once', '--speed', '60000');
  expect(await run.ended).toBe(1);
  expect(run.output().match(/no answer/g)).toHaveLength(1);
});

test('a second run on the same state file is refused in one line', async () => {
  const first = simulate('--url', url, '--devices', '1', '--backfill', '0');
  await first.until('live:');
  const second = simulate('--url', url);
  expect(await second.ended).toBe(1);
  expect(second.errors()).toMatch(/^simulate: [^\n]*is in use by process \d+[^\n]*\n$/);
});

test('--help prints the flags, and a wrong flag is one line and exit code 1', async () => {
  const help = simulate('--help');
  expect(await help.ended).toBe(0);
  expect(help.output()).toContain('--owner-phrase');
  const wrong = simulate('--colour');
  expect(await wrong.ended).toBe(1);
  expect(wrong.errors()).toBe("simulate: Unknown option '--colour'\n");
});
