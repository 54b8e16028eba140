import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { accept, handWritten, registeredDevice } from '../support/client.ts';
import { send } from '../support/http.ts';
import { ENDPOINTS, runningProcess } from '../support/node-process.ts';
import { slowness } from '../support/pace.ts';

const node = runningProcess();
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** Opens a connection that sends the text and then nothing; resolves when it stands or was refused. */
function idleSocket(url: string, text: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    socket.on('error', () => resolve(socket));
    socket.on('connect', () => {
      if (text !== '') socket.write(text);
      resolve(socket);
    });
  });
}

/** Registers, posts and reads on a connection of its own; returns the milliseconds of the slowest of them. */
async function slowestAnswer(url: string): Promise<number> {
  let slowest = 0;
  const timed = async <T>(work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await work();
    slowest = Math.max(slowest, performance.now() - start);
    return result;
  };
  const device = await timed(() => registeredDevice(url));
  await timed(() => accept(url, handWritten(device)));
  const health = await timed(() => send(`${url}/health`, { headers: { connection: 'close' } }));
  expect(health.status).toBe(200);
  return slowest;
}

describe.each(ENDPOINTS)('clients that do nothing, %s endpoint', (endpoint) => {
  test.each([
    [1000, 'without a byte', ''],
    [1500, 'without a byte', ''],
    [1000, 'with half of a head', 'GET /health HTTP/1.1\r\nHost: localhost\r\n'],
    [
      1000,
      'with half of a body',
      'POST /v1/telemetry HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{',
    ],
    [
      100,
      'with bodies of the largest size announced',
      'POST /v1/telemetry HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1048576\r\n\r\n{',
    ],
    [1000, 'kept alive after a request', 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ])(
    '%i idle sockets %s do not stop the others',
    async (count, _what, text) => {
      await Promise.all(Array.from({ length: count }, () => idleSocket(node.url(endpoint), text)));
      for (let round = 0; round < 3; round += 1) {
        expect(await slowestAnswer(node.url(endpoint))).toBeLessThan(2_000 * slowness());
      }
      const other = endpoint === 'public' ? 'local' : 'public';
      expect(await slowestAnswer(node.url(other))).toBeLessThan(2_000 * slowness());
    },
    60_000,
  );
});

test('clients of one byte a second do not stop the others, and are cut off before their request is whole', async () => {
  const url = node.url('local');
  const head = 'GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: ';
  const slow = await Promise.all(
    Array.from({ length: 20 }, () => {
      return idleSocket(url, head);
    }),
  );
  const cutOff = slow.map((socket) => new Promise<void>((resolve) => socket.on('close', () => resolve())));
  for (const socket of slow) socket.resume();
  const trickle = setInterval(() => {
    for (const socket of slow) if (socket.writable) socket.write('x');
  }, 1000);
  try {
    for (let round = 0; round < 20; round += 1) expect(await slowestAnswer(url)).toBeLessThan(2_000 * slowness());
    await Promise.all(cutOff);
    expect(await slowestAnswer(url)).toBeLessThan(2_000 * slowness());
  } finally {
    clearInterval(trickle);
  }
});
