import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { accept, handWritten, registeredDevice } from '../support/client.ts';
import { runningProcess } from '../support/node-process.ts';
import { holdLock, storePath } from '../support/store-file.ts';

// The limits by address would put off what the queue has to.
const node = runningProcess({ env: { PUBLIC_RATE_LIMIT: '0' } });
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

const CONNECTIONS = 40;
const BATCHES_EACH = 4;
/** As much as a body may be: what waits is bounded by its bytes. */
const LONGEST_BODY = 1024 ** 2;

/** A request with so many blocks of a registered device whose signatures are made up, after one that is sound. */
function forgedBatch(device: SimulatedDevice, forged = 99, length = 0): string {
  const blocks = Array.from({ length: 1 + forged }, (_, seq) => {
    return { ...handWritten(device, { seq }), ...(seq > 0 && { signature: 'ab'.repeat(64) }) };
  });
  const body = JSON.stringify({ blocks }).padEnd(length);
  const head = `POST /v1/telemetry HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
  return `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
}

/** Sends a request so many times at once on a connection; `statuses` grows until each is answered. */
function flood(url: string, request: string, times: number): { statuses: number[]; over: Promise<void> } {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.write(request.repeat(times));
  const statuses: number[] = [];
  let received = '';
  const over = new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`closed after ${received.length} characters`)));
    socket.setEncoding('latin1').on('data', (part: string) => {
      received += part;
      const all = [...received.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));
      statuses.splice(0, Infinity, ...all);
      if (all.length === times) resolve();
    });
  });
  over.catch(() => {});
  return { statuses, over };
}

test('forged batches, pipelined on many public connections, are all answered, and so are local posts meanwhile', async () => {
  const stranger = await registeredDevice(node.url('public'));
  const own = await registeredDevice(node.url('local'));
  const request = forgedBatch(stranger);
  const floods = Array.from({ length: CONNECTIONS }, () => flood(node.url('public'), request, BATCHES_EACH));
  let isOver = false;
  const over = Promise.all(floods.map((each) => each.over)).finally(() => {
    isOver = true;
  });
  let seq = 1;
  for (; !isOver; seq += 1) await accept(node.url('local'), handWritten(own, { seq }));
  await over;
  expect(seq).toBeGreaterThan(10);
  expect(floods.map(({ statuses }) => statuses)).toEqual(Array(CONNECTIONS).fill(Array(BATCHES_EACH).fill(207)));
});

test('while no more public blocks can be stored, batches wait, those beyond 16 MiB are refused for now, and local posts are answered', async () => {
  const stranger = await registeredDevice(node.url('public'));
  const own = await registeredDevice(node.url('local'));
  const request = forgedBatch(stranger, 99, LONGEST_BODY);
  const release = await holdLock(storePath(node.process.dataDir, 'public'));
  const floods = Array.from({ length: CONNECTIONS }, () => flood(node.url('public'), request, 1));
  const answered = (status: number) => floods.filter(({ statuses }) => statuses[0] === status).length;
  try {
    await expect.poll(() => answered(429), { timeout: 60_000 }).toBeGreaterThan(0);
    for (let seq = 1; seq <= 10; seq += 1) await accept(node.url('local'), handWritten(own, { seq }));
    expect(answered(207), 'the store is locked').toBe(0);
  } finally {
    await release();
  }
  await Promise.all(floods.map(({ over }) => over));
  // Blocks that another process kept from being stored for over 4 s get that answer.
  expect(answered(207)).toBeGreaterThan(0);
  expect(answered(207) + answered(429) + answered(503)).toBe(CONNECTIONS);
});

test('batches of closed connections delay nobody', async () => {
  const url = node.url('public');
  const stranger = await registeredDevice(url);
  const request = forgedBatch(stranger);
  for (let index = 0; index < CONNECTIONS; index += 1) flood(url, request, BATCHES_EACH);
  await accept(node.url('local'), handWritten(await registeredDevice(node.url('local'))));
  for (const socket of sockets.splice(0)) socket.destroy();
  await accept(url, handWritten(stranger, { seq: 1000 }));
});
