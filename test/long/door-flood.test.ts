import { connect } from 'node:tls';
import { expect, test } from 'vitest';
import { accept, handWritten, registeredDevice } from '../support/client.ts';
import { DOOR_ENV, DoorClient, doorOf, sendToDoor } from '../support/door.ts';
import { runningProcess } from '../support/node-process.ts';

const node = runningProcess({ args: ['--ui'], env: DOOR_ENV });
const REQUESTS = 10_000;
const CONNECTIONS = 20;
/** A device waits so long for its answer. */
const DEVICE_WAITS_MS = 8000;

test('ten thousand requests at the door get nothing and delay no device, and a paired phone goes on', async () => {
  const phone = await DoorClient.pair(node.process, 'app');
  const door = await doorOf(node.process);
  const { port } = new URL(door);
  const own = await registeredDevice(node.url('local'));
  const statuses = new Map<string, number>();
  let sent = 0;
  const flood = Array.from({ length: CONNECTIONS }, async () => {
    while (sent < REQUESTS) {
      await new Promise<void>((resolve) => {
        const socket = connect({ host: '127.0.0.1', port: Number(port), rejectUnauthorized: false });
        socket.on('data', (part) => {
          for (const [, status] of part.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3})/g)) {
            statuses.set(status!, (statuses.get(status!) ?? 0) + 1);
          }
        });
        socket.on('error', () => {});
        socket.on('close', () => resolve());
        socket.on('secureConnect', () => {
          for (let count = 0; count < 50; count += 1) {
            sent += 1;
            socket.write(
              `POST /ui/api/overview HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${'A'.repeat(43)}\r\n` +
                'Content-Type: application/json\r\nContent-Length: 14\r\n\r\n{"dayStart":0}',
            );
          }
          socket.end();
        });
        // Those that are cut off before their handshake count too: they were tried.
        socket.once('close', () => {
          if (!socket.authorized && socket.getProtocol() === null) sent += 1;
        });
      });
    }
  });
  let longest = 0;
  for (let seq = 1; seq <= 50; seq += 1) {
    const before = performance.now();
    await accept(node.url('local'), handWritten(own, { seq }));
    longest = Math.max(longest, performance.now() - before);
  }
  await Promise.all(flood);
  expect(longest).toBeLessThan(DEVICE_WAITS_MS);
  expect([...statuses.keys()].filter((status) => status !== '401' && status !== '429')).toEqual([]);
  // The door may cut connections for as long as it counts the flood.
  const soon = async (ask: () => Promise<{ status: number }>) =>
    expect.poll(async () => (await ask().catch(() => ({ status: 0 }))).status, { timeout: 60_000 }).toBe(200);
  await soon(() => phone.ask('caller', {}));
  await soon(() => sendToDoor(`${door}/ui/`));
}, 240_000);
