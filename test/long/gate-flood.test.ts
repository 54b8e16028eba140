import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { accept, handWritten, registeredDevice } from '../support/client.ts';
import { runningProcess } from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';

const node = runningProcess({
  args: ['--ui'],
  env: { GATE_ADDRESS: '127.0.0.1', GATE_PORT: '0', PUBLIC_RATE_LIMIT: '0' },
});
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

const IDLE = 2000;
const FLOODING = 20;
/** A device waits so long for its answer. */
const DEVICE_WAITS_MS = 8000;

async function toGate(): Promise<Socket> {
  const { gate } = await call(node.process, 'gate', {});
  if (gate.state !== 'listening') throw new Error(JSON.stringify(gate));
  const socket = connect(gate.port, gate.address);
  // The gate closes those that are too many.
  socket.on('error', () => {});
  sockets.push(socket);
  return socket;
}

/** Posts of the owner's own device at the local endpoint; gives how long the longest waited. */
async function localPosts(count: number): Promise<number> {
  const own = await registeredDevice(node.url('local'));
  let longest = 0;
  for (let seq = 1; seq <= count; seq += 1) {
    const before = performance.now();
    await accept(node.url('local'), handWritten(own, { seq }));
    longest = Math.max(longest, performance.now() - before);
  }
  return longest;
}

test('two thousand idle connections to the gate delay nobody at the local endpoint, nor new devices at the gate', async () => {
  for (let count = 0; count < IDLE; count += 1) await toGate();
  expect(await localPosts(50)).toBeLessThan(DEVICE_WAITS_MS);
  const { gate } = await call(node.process, 'gate', {});
  if (gate.state !== 'listening') throw new Error(JSON.stringify(gate));
  const device = await registeredDevice(node.url('local'));
  await accept(`http://${gate.address}:${gate.port}`, handWritten(device));
});

test('forged batches without end from one address delay nobody at the local endpoint', async () => {
  const stranger = await registeredDevice(node.url('local'));
  const blocks = Array.from({ length: 99 }, (_, seq) => ({
    ...handWritten(stranger, { seq }),
    signature: 'ab'.repeat(64),
  }));
  const body = JSON.stringify({ blocks });
  const head = 'POST /v1/telemetry HTTP/1.1\r\nHost: gate\r\nContent-Type: application/json\r\n';
  const request = `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
  const requests = request.repeat(4);
  let answered = 0;
  for (let count = 0; count < FLOODING; count += 1) {
    const socket = await toGate();
    // In a turn of its own: written from the callback itself, a socket that takes all at once lets nothing else run here.
    const more = (error?: Error | null) => {
      if (error == null && !socket.destroyed) socket.write(requests, (failed) => void setImmediate(more, failed));
    };
    socket.on('data', (part) => (answered += part.toString('latin1').split('HTTP/1.1 ').length - 1));
    more();
  }
  await expect.poll(() => answered, { timeout: 30_000 }).toBeGreaterThan(0);
  expect(await localPosts(50)).toBeLessThan(DEVICE_WAITS_MS);
});
