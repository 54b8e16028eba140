import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { postBlocks, registeredDevice } from '../support/client.ts';
import { send } from '../support/http.ts';
import { ENDPOINTS, runningProcess } from '../support/node-process.ts';
import { slowness } from '../support/pace.ts';

const node = runningProcess();
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** A connection that reads nothing. */
function deafSocket(url: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.pause();
  sockets.push(socket);
  return socket;
}

/** 500 readings of the largest encrypted fields: an answer of 1.6 MB. */
async function deviceWithLargestAnswer(url: string): Promise<SimulatedDevice> {
  const device = await registeredDevice(url);
  const field = () => ({ cipher: randomBytes(256).toString('hex'), nonce: randomBytes(12).toString('hex') });
  for (let first = 1; first <= 500; first += 50) {
    const sealed = {
      ph: field(),
      ec: field(),
      waterLevel: field(),
      tempWater: field(),
      tempAmbient: field(),
      humidity: field(),
    };
    const blocks = Array.from({ length: 50 }, (_, index) =>
      device.block({ seq: first + index, timestamp: 1_795_000_000_000 + first + index, sealed }),
    );
    expect((await postBlocks(url, blocks)).accepted).toBe(50);
  }
  return device;
}

const residentMB = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${node.process.pid}/status`, 'utf8'))?.[1]) / 1024;

describe.each(ENDPOINTS)('clients that do not read their answers, %s endpoint', (endpoint) => {
  test.skipIf(process.platform !== 'linux')(
    'cost a bounded amount of memory, and those that read go on',
    async () => {
      const url = node.url(endpoint);
      const device = await deviceWithLargestAnswer(url);
      const path = `/v1/devices/${device.id}/telemetry`;
      const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
      const deaf = Array.from({ length: 60 }, () => deafSocket(url));
      let highest = 0;
      for (let round = 0; round < 8; round += 1) {
        for (const [index, socket] of deaf.entries()) {
          if (socket.writable) socket.write(request);
          if (index % 10 > 0) continue;
          // Each of another body: what is kept for one is not shared with the others.
          const block = device.block({
            seq: 1000 + round * 100 + index,
            timestamp: 1_795_000_001_000 + round,
            plain: { ph: 6 },
          });
          expect((await postBlocks(url, [block])).accepted).toBe(1);
          expect((await send(`${url}${path}`)).status).toBe(200);
          highest = Math.max(highest, residentMB());
        }
      }
      // Unbounded it comes to 480 answers of 1.6 MB.
      expect(highest).toBeLessThan(320);
      expect((await send(`${url}/health`)).status).toBe(200);
    },
    60_000,
  );
});

test('a client that takes nothing for half a minute is cut off, and one that takes little is not', async () => {
  const url = node.url('local');
  const device = await deviceWithLargestAnswer(url);
  const request = `GET /v1/devices/${device.id}/telemetry HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  /** More than the system takes into its own buffers, and for both less than the node bounds. */
  const ask = (socket: Socket, answers: number) => {
    socket.write(request.repeat(answers));
    return socket;
  };
  // Before the node can begin to count: on a busy machine what follows may take its time.
  const start = performance.now();
  const slow = ask(deafSocket(url), 11);
  let taken = 0;
  slow.on('data', (part: Buffer) => {
    taken += part.length;
    slow.pause();
  });
  const takeLittle = setInterval(() => slow.resume(), 300);
  const deaf = ask(deafSocket(url), 8);
  // As a client: the far end's reset is seen when something is sent to it.
  const cutOffAfter = new Promise<number>((resolve) => {
    deaf.on('close', () => resolve(performance.now() - start));
    const probe = setInterval(() => {
      if (deaf.destroyed) clearInterval(probe);
      else deaf.write('G');
    }, 500);
  });
  try {
    const after = await cutOffAfter;
    expect(after).toBeGreaterThan(20_000);
    expect(after).toBeLessThan(40_000 * slowness());
    expect(slow.destroyed).toBe(false);
    const before = taken;
    await expect.poll(() => taken, { timeout: 60_000 }).toBeGreaterThan(before);
  } finally {
    clearInterval(takeLittle);
  }
});
