import { spawn } from 'node:child_process';
import { cpSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { WireClient } from '../../src/simulator/wire-client.ts';
import {
  ENDPOINTS,
  type Endpoint,
  headlessEntry,
  type NodeProcess,
  removeFolder,
  temporaryFolder,
} from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';
import { storePath } from '../support/store-file.ts';
import { processStarter } from './faults.ts';
import { blockOf } from './load.ts';
import { readTrace, type SystemCall, SystemCallTrace, straceArguments, whyNoTrace } from './system-call-trace.ts';

const noTrace = whyNoTrace();
const folder = temporaryFolder();
afterAll(() => removeFolder(folder));
// After the line above, since hooks run in reverse: the nodes end before their folders go.
const startNode = processStarter();

const SYNCS = ['fsync', 'fdatasync'];
const RECEIVES = ['read', 'readv', 'recvfrom', 'recvmsg'];
const SENDS = ['write', 'writev', 'sendto', 'sendmsg'];

/** A confirmation, with what its request put into the store. */
interface Confirmation {
  /** Bytes that stand in the store's pages because of this request and no other. */
  readonly marker: Buffer;
  readonly sent: number;
}

/** Every 200 or 201 that left, with what was asked on the same connection. */
function confirmations(calls: readonly SystemCall[]): Confirmation[] {
  const asked = new Map<string, Buffer>();
  const confirmed: Confirmation[] = [];
  for (const { name, file, data, entered } of calls) {
    const text = data.toString('latin1');
    if (RECEIVES.includes(name) && text.startsWith('POST /v1/')) asked.set(file, markerOf(text));
    const marker = asked.get(file);
    if (marker === undefined || !SENDS.includes(name) || !/^HTTP\/1\.1 20[01] /.test(text)) continue;
    confirmed.push({ marker, sent: entered });
    asked.delete(file);
  }
  return confirmed;
}

/** A device's id, or a reading's timestamp as SQLite keeps it: six bytes, big-endian. */
function markerOf(request: string): Buffer {
  const timestamp = /"timestamp":"(\d+)"/.exec(request)?.[1];
  if (timestamp === undefined) return Buffer.from(/"id":"([0-9a-f]{64})"/.exec(request)![1]!, 'hex');
  const marker = Buffer.alloc(6);
  marker.writeUIntBE(Number(timestamp), 0, 6);
  return marker;
}

/** The confirmations that left before their pages were written to the log and the log was then synced. */
function unsynced(calls: readonly SystemCall[], wal: string): Confirmation[] {
  const writes = calls.filter(({ name, file }) => name === 'pwrite64' && file === wal);
  const syncs = calls.filter(({ name, file, result }) => SYNCS.includes(name) && file === wal && result === 0);
  return confirmations(calls).filter(({ marker, sent }) => {
    const written = writes.find(({ data }) => data.includes(marker));
    const synced = written && syncs.find(({ entered }) => entered > written.left);
    return synced === undefined || synced.left >= sent;
  });
}

let lastTimestamp = 1_700_000_000_000;

interface Posted {
  readonly registrations: number;
  readonly batches: number;
  /** Clients at the same time, each waiting for its answer before it posts again. */
  readonly clients: number;
}

async function traceWrites(node: NodeProcess, endpoint: Endpoint, posted: Posted): Promise<SystemCall[]> {
  const trace = await SystemCallTrace.attach(node.pid, join(folder, `trace-${lastTimestamp}`));
  await Promise.all(
    Array.from({ length: posted.clients }, async () => {
      const client = new WireClient(node.url(endpoint));
      for (let count = 0; count < posted.registrations; count += 1) {
        const device = new SimulatedDevice();
        expect((await client.register(device.registration())).status).toBe(201);
        for (let seq = 1; seq <= posted.batches; seq += 1) {
          lastTimestamp += 1;
          const block = device.block({ seq, timestamp: lastTimestamp, plain: { waterLevel: 200 } });
          expect((await client.post([block])).status).toBe(200);
        }
      }
      client.close();
    }),
  );
  return await trace.stop();
}

describe('a node', () => {
  let node: NodeProcess;
  beforeAll(async () => {
    if (noTrace !== null) return;
    node = await startNode({ dataDir: join(folder, 'one'), args: ['--ui'], settings: { durability: 'normal' } });
  });
  afterAll(async () => void (await node?.stop()));
  const walOf = (endpoint: Endpoint) => `${storePath(node.dataDir, endpoint)}-wal`;
  const set = async (durability: 'normal' | 'full') =>
    expect(await call(node, 'setSettings', { change: { durability } })).toMatchObject({ saved: true });

  test('that starts with durability normal answers without a wait, which the check sees', async (ctx) => {
    if (noTrace !== null) return ctx.skip(noTrace);
    const calls = await traceWrites(node, 'local', { registrations: 1, batches: 20, clients: 1 });
    expect(confirmations(calls)).toHaveLength(21);
    expect(unsynced(calls, walOf('local')).length).toBeGreaterThan(15);
  });

  test('is changed to full by its owner while it runs, and back', async (ctx) => {
    if (noTrace !== null) return ctx.skip(noTrace);
    for (const [durability, least, most] of [
      ['full', 0, 0],
      ['normal', 16, 21],
    ] as const) {
      await set(durability);
      const calls = await traceWrites(node, 'local', { registrations: 1, batches: 20, clients: 1 });
      expect(confirmations(calls)).toHaveLength(21);
      const early = unsynced(calls, walOf('local')).length;
      expect([early >= least, early <= most], `${early} too early with ${durability}`).toEqual([true, true]);
    }
  });

  describe.each(ENDPOINTS)('before a 200 or 201 of the %s endpoint', (endpoint) => {
    test('writes and then syncs the log, for one client after the other', async (ctx) => {
      if (noTrace !== null) return ctx.skip(noTrace);
      await set('full');
      const calls = await traceWrites(node, endpoint, { registrations: 2, batches: 20, clients: 1 });
      expect(confirmations(calls)).toHaveLength(42);
      expect(unsynced(calls, walOf(endpoint))).toEqual([]);
    });

    test('also if many clients share a commit', async (ctx) => {
      if (noTrace !== null) return ctx.skip(noTrace);
      await set('full');
      const calls = await traceWrites(node, endpoint, { registrations: 1, batches: 15, clients: 8 });
      expect(confirmations(calls)).toHaveLength(128);
      expect(unsynced(calls, walOf(endpoint))).toEqual([]);
    });
  });

  test('also beside the writer’s own work, with readings of many hours', async (ctx) => {
    if (noTrace !== null) return ctx.skip(noTrace);
    await set('full');
    const client = new WireClient(node.url('local'));
    const device = new SimulatedDevice();
    expect((await client.register(device.registration())).status).toBe(201);
    const trace = await SystemCallTrace.attach(node.pid, join(folder, 'trace-hours'));
    const until = performance.now() + 4_000;
    let seq = 0;
    for (; performance.now() < until; seq += 1) {
      lastTimestamp += 3_600_000;
      const block = device.block({ seq, timestamp: lastTimestamp, plain: { waterLevel: 200 } });
      expect((await client.post([block])).status).toBe(200);
      await delay(20);
    }
    const calls = await trace.stop();
    client.close();
    expect(confirmations(calls)).toHaveLength(seq);
    expect(unsynced(calls, walOf('local'))).toEqual([]);
  });
});

/**
 * A killed process leaves in the log what it wrote and had no time to sync. A device sends that block again and gets
 * 200 for a duplicate, for which nothing is written: so it must be on disk before the node answers anyone.
 */
describe('the log of a killed node is synced before the next node listens', () => {
  const killed = join(folder, 'killed');
  beforeAll(async () => {
    if (noTrace !== null) return;
    const first = await startNode({ dataDir: killed });
    for (const endpoint of ENDPOINTS) {
      const client = new WireClient(first.url(endpoint));
      const device = new SimulatedDevice();
      expect((await client.register(device.registration())).status).toBe(201);
      expect((await client.post([blockOf(device, 1)])).status).toBe(200);
      client.close();
    }
    await first.kill();
  });

  test.for([
    ['alone', false],
    ['while another program reads the stores', true],
  ] as const)('%s', { timeout: 40_000 }, async ([name, hasReader], ctx) => {
    if (noTrace !== null) return ctx.skip(noTrace);
    const dataDir = join(folder, `restart-${name.slice(0, 5)}`);
    cpSync(killed, dataDir, { recursive: true });
    const readers = ENDPOINTS.filter(() => hasReader).map((endpoint) => {
      const db = new Database(storePath(dataDir, endpoint), { readonly: true });
      db.prepare('SELECT count(*) FROM readings').get();
      return db;
    });
    const calls = await traceStart(dataDir, join(folder, `trace-restart-${name.slice(0, 5)}`));
    for (const reader of readers) reader.close();
    const listening = calls.find(({ name: call }) => call === 'listen');
    expect(listening, 'the second node never listened').toBeDefined();
    for (const endpoint of ENDPOINTS) {
      const wal = `${storePath(dataDir, endpoint)}-wal`;
      const synced = calls.find(({ name: call, file, result }) => SYNCS.includes(call) && file === wal && result === 0);
      expect(synced, `${wal} was not synced`).toBeDefined();
      expect(synced!.left).toBeLessThan(listening!.entered);
    }
  });
});

// A new file is not sure to be found after a power cut before the folder that names it is synced.
test('the folder of a new log is synced before the node listens', { timeout: 40_000 }, async (ctx) => {
  if (noTrace !== null) return ctx.skip(noTrace);
  const dataDir = join(folder, 'fresh');
  const calls = await traceStart(dataDir, join(folder, 'trace-fresh'));
  const listening = calls.find(({ name }) => name === 'listen')!;
  for (const endpoint of ENDPOINTS) {
    const wal = `${storePath(dataDir, endpoint)}-wal`;
    const begun = calls.find(({ name, file }) => name === 'pwrite64' && file === wal);
    expect(begun, `${wal} was not begun`).toBeDefined();
    const folderSync = calls.find(
      ({ name, file, entered }) => SYNCS.includes(name) && file === dataDir && entered > begun!.left,
    );
    expect(folderSync?.left, 'the folder of the new log was not synced').toBeLessThan(listening.entered);
  }
});

/** Starts a node under strace and stops it once it is up. */
async function traceStart(dataDir: string, output: string): Promise<SystemCall[]> {
  const { PATH = '' } = process.env;
  const strace = spawn('strace', [...straceArguments(output), process.execPath, headlessEntry()], {
    env: { PATH, DATA_DIR: dataDir, PUBLIC_PORT: '0', LOCAL_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => strace.on('close', resolve));
  try {
    await new Promise<void>((resolve, reject) => {
      let said = '';
      strace.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        if (said.includes('node started')) resolve();
      });
      strace.on('close', () => reject(new Error(`the node ended at its start: ${said}`)));
    });
  } finally {
    // strace would detach and leave the node running; its child is the node.
    const [child] = readFileSync(`/proc/${strace.pid}/task/${strace.pid}/children`, 'utf8').split(' ');
    if (child !== undefined && child !== '') process.kill(Number(child), 'SIGTERM');
    await ended;
  }
  expect(existsSync(output) && statSync(output).size).toBeGreaterThan(0);
  return readTrace(output);
}
