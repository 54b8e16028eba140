import { describe, expect, test } from 'vitest';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { outsideAddress } from '../support/addresses.ts';
import { handWritten, postBlocks, register, registeredDevice } from '../support/client.ts';
import { post, type Reply, send } from '../support/http.ts';
import { isPair, runningNode } from '../support/node-process.ts';

const outside = outsideAddress();
const skipReason = outside === null ? ' (skipped: only a loopback address here)' : '';

function expectLimited(reply: Reply): void {
  expect(reply.status, reply.text).toBe(429);
  expect(reply.json).toEqual({ error: 'rate_limited' });
  expect(String(reply.headers['retry-after'])).toMatch(/^[1-9][0-9]*$/);
}

// Each of two nodes counts for itself, so an address may send this much to both.
const oneNode = describe.skipIf(isPair);

// Loopback is exempt, so these tests must come from another address of this machine.
describe.skipIf(outside === null)(`PUBLIC_RATE_LIMIT${skipReason}`, () => {
  oneNode('of 2 requests a second', () => {
    const node = runningNode({ env: { PUBLIC_RATE_LIMIT: '2' } });
    const fromOutside = () => node.url('public').replace('127.0.0.1', outside!);
    const options = { localAddress: outside! };

    test('allows a burst of ten, then 429 until the named time, while loopback continues', async () => {
      const replies: Reply[] = [];
      const start = performance.now();
      const ask = () => send(`${fromOutside()}/health`, options);
      for (let count = 0; count < 10; count += 1) replies.push(await ask());
      // At once, so that a busy machine gives them little time.
      replies.push(...(await Promise.all(Array.from({ length: 30 }, ask))));
      const seconds = (performance.now() - start) / 1000;
      expect(replies.slice(0, 10).map(({ status }) => status)).toEqual(Array(10).fill(200));
      const limited = replies.filter(({ status }) => status !== 200);
      expect(replies.length - limited.length).toBeLessThanOrEqual(10 + Math.ceil(seconds * 2));
      expect(limited.length).toBeGreaterThan(15);
      for (const reply of limited) expectLimited(reply);

      for (let count = 0; count < 40; count += 1) {
        expect((await send(`${node.url('public')}/health`)).status).toBe(200);
        expect((await send(`${node.url('local')}/health`)).status).toBe(200);
      }

      const wait = Number(limited.at(-1)!.headers['retry-after']);
      expect(wait).toBeLessThanOrEqual(2);
      await new Promise((resolve) => setTimeout(resolve, wait * 1000));
      expect((await send(`${fromOutside()}/health`, options)).status).toBe(200);
    });
  });

  oneNode('of 20 blocks a second', () => {
    const node = runningNode({ env: { PUBLIC_RATE_LIMIT: '2' } });

    test('allows a burst of 100 blocks, then 429, and nothing of the batch is stored', async () => {
      const url = node.url('public');
      const device = await registeredDevice(url);
      const batch = (from: number) =>
        Array.from({ length: 100 }, (_, index) => handWritten(device, { seq: from + index }));
      const telemetry = `${url.replace('127.0.0.1', outside!)}/v1/telemetry`;
      const start = performance.now();
      const first = await post(telemetry, { blocks: batch(0) }, { localAddress: outside! });
      expect(first.json).toEqual({ accepted: 100, errors: [] });
      // After five seconds the next batch may pass too, and a busy machine may take as long.
      let stored = 100;
      const next = () => post(telemetry, { blocks: batch(stored) }, { localAddress: outside! });
      let reply = await next();
      for (; reply.status === 200 && stored < 400; reply = await next()) stored += 100;
      expectLimited(reply);
      expect(stored).toBeLessThanOrEqual(100 + (20 * (performance.now() - start)) / 1000);
      expect(((await send(`${url}/v1/devices/${device.id}/telemetry`)).json as { readings: [] }).readings).toHaveLength(
        stored,
      );
      // Over loopback the same batch is taken.
      expect(await postBlocks(url, batch(stored))).toMatchObject({ accepted: 100 });
    });
  });

  describe('registrations', () => {
    const node = runningNode({ env: { PUBLIC_RATE_LIMIT: '100000' } });

    test('60 new ones an hour, then 429; a known key still gets its 409', async () => {
      const url = node.url('public').replace('127.0.0.1', outside!);
      const options = { localAddress: outside! };
      const first = new SimulatedDevice();
      expect((await register(url, first.registration(), options)).status).toBe(201);
      for (let count = 1; count < 60; count += 1) {
        expect((await register(url, new SimulatedDevice().registration(), options)).status).toBe(201);
      }
      expectLimited(await register(url, new SimulatedDevice().registration(), options));
      expect((await register(url, first.registration(), options)).status).toBe(409);
      expect((await register(node.url('public'), new SimulatedDevice().registration())).status).toBe(201);
    });
  });

  describe('of 0', () => {
    const node = runningNode({ env: { PUBLIC_RATE_LIMIT: '0' } });

    test('is off', async () => {
      const url = `${node.url('public').replace('127.0.0.1', outside!)}/health`;
      const replies = await Promise.all(Array.from({ length: 700 }, () => send(url, { localAddress: outside! })));
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    });
  });

  oneNode('left at its default of 100', () => {
    const node = runningNode();

    test('allows 500 at once but not 2,000', async () => {
      const url = `${node.url('public').replace('127.0.0.1', outside!)}/health`;
      const statuses: number[] = [];
      const start = performance.now();
      for (let round = 0; round < 20; round += 1) {
        const replies = await Promise.all(Array.from({ length: 100 }, () => send(url, { localAddress: outside! })));
        statuses.push(...replies.map(({ status }) => status));
      }
      const seconds = (performance.now() - start) / 1000;
      const passed = statuses.filter((status) => status === 200).length;
      expect(statuses.slice(0, 500)).toEqual(Array(500).fill(200));
      // What a bucket of 500 that fills by 100 a second can have let through, and no more.
      expect(passed).toBeLessThanOrEqual(500 + Math.ceil(seconds * 100) + 1);
      expect(passed).toBeLessThan(2000);
    });
  });
});
