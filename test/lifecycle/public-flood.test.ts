import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { accept, handWritten, registeredDevice } from '../support/client.ts';
import { runningNode } from '../support/node-process.ts';
import { slowness } from '../support/pace.ts';

const node = runningNode();
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

const CONNECTIONS = 80;
const BATCHES_EACH = 10;

/** A request with 100 blocks of a registered device whose signatures are made up. */
function forgedBatch(device: SimulatedDevice): string {
  const blocks = Array.from({ length: 100 }, (_, seq) => {
    return { ...handWritten(device, { seq }), signature: 'ab'.repeat(64) };
  });
  const body = JSON.stringify({ blocks });
  const head = `POST /v1/telemetry HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
  return `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
}

/** Sends the batches at once on a connection; resolves when each was answered: refused block by block, or put off. */
function flood(url: string, request: string): Promise<number> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.write(request.repeat(BATCHES_EACH));
  let received = '';
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`closed after ${received.length} characters`)));
    socket.setEncoding('latin1').on('data', (part: string) => {
      received += part;
      const answered = received.match(/HTTP\/1\.1 (?:207|429) /g)?.length ?? 0;
      if (answered === BATCHES_EACH) resolve(answered);
    });
  });
}

test('forged batches, pipelined on many public connections, wait their turn while local posts are answered', async () => {
  const stranger = await registeredDevice(node.url('public'));
  const own = await registeredDevice(node.url('local'));
  const request = forgedBatch(stranger);
  // By what else the machine does, not by the flood.
  const paceBefore = slowness();
  let isOver = false;
  const flooding = Promise.all(Array.from({ length: CONNECTIONS }, () => flood(node.url('public'), request)));
  const over = flooding.finally(() => {
    isOver = true;
  });
  const waits: number[] = [];
  for (let seq = 1; !isOver; seq += 1) {
    const start = performance.now();
    await accept(node.url('local'), handWritten(own, { seq }));
    waits.push(performance.now() - start);
  }
  expect(await over).toEqual(Array(CONNECTIONS).fill(BATCHES_EACH));
  expect(waits.length).toBeGreaterThan(10);
  // All but the first, which wait for what has reached the system already.
  const sorted = waits.sort((a, b) => a - b);
  expect(sorted[Math.floor(sorted.length * 0.9)]).toBeLessThan(150 * Math.max(paceBefore, slowness()));
});

test('batches of connections that are gone keep nobody waiting', async () => {
  const url = node.url('public');
  const stranger = await registeredDevice(url);
  const request = forgedBatch(stranger);
  for (let index = 0; index < CONNECTIONS; index += 1) flood(url, request).catch(() => {});
  await accept(node.url('local'), handWritten(await registeredDevice(node.url('local'))));
  for (const socket of sockets.splice(0)) socket.destroy();
  await accept(url, handWritten(stranger, { seq: 1000 }));
});
