import { describe, expect, test } from 'vitest';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { accept, handWritten, readingsOf, register, registeredDevice } from '../support/client.ts';
import { post, type Reply, send } from '../support/http.ts';
import { runningNode } from '../support/node-process.ts';

describe('PUBLIC_MAX_DEVICES=3', () => {
  const node = runningNode({ env: { PUBLIC_MAX_DEVICES: '3' } });

  test('a fourth device gets 503 after the 409 check, only on the public endpoint', async () => {
    const url = node.url('public');
    const devices = [await registeredDevice(url), await registeredDevice(url), await registeredDevice(url)];
    const fourth = new SimulatedDevice();

    const refused = await register(url, fourth.registration());
    expect(refused.status).toBe(503);
    expect(refused.json).toEqual({ error: 'device_limit_reached' });
    expect((await send(`${url}/v1/devices/${fourth.id}`)).status).toBe(404);

    for (const device of devices) {
      const again = await register(url, device.registration());
      expect(again.status).toBe(409);
      expect(again.json).toEqual({ error: 'device_already_exists' });
      await accept(url, handWritten(device));
    }
    expect((await register(url, {})).status).toBe(400);

    for (let count = 0; count < 5; count += 1) await registeredDevice(node.url('local'));
  });

  test('50 at once do not exceed it', async () => {
    const before = ((await send(`${node.url('public')}/v1/devices`)).json as { devices: unknown[] }).devices.length;
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => register(node.url('public'), new SimulatedDevice().registration())),
    );
    const after = ((await send(`${node.url('public')}/v1/devices`)).json as { devices: unknown[] }).devices.length;
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(3 - before);
    expect(after).toBe(3);
  });
});

describe('PUBLIC_MAX_BYTES of 1 MiB', () => {
  const node = runningNode({ env: { PUBLIC_MAX_BYTES: String(1024 ** 2) } });

  /** A registration near its limit of 64 KiB. */
  const bulky = (device: SimulatedDevice) =>
    device.registration({
      networks: Array.from({ length: 64 }, () => 'n'.repeat(256)),
      localServers: Array.from({ length: 64 }, () => 's'.repeat(256)),
    });

  function expectUnavailable(reply: Reply): void {
    expect(reply.status, reply.text).toBe(503);
    expect(reply.json).toEqual({ error: 'storage_unavailable' });
    expect(String(reply.headers['retry-after'])).toMatch(/^[1-9][0-9]*$/);
  }

  test('when it is full, the public endpoint stores and confirms nothing more; the rest continues', async () => {
    const url = node.url('public');
    const device = await registeredDevice(url);
    await accept(url, handWritten(device, { seq: 1 }));

    let refused: Reply | undefined;
    let stored = 0;
    for (; refused === undefined && stored < 200; stored += 1) {
      const reply = await register(url, bulky(new SimulatedDevice()));
      if (reply.status !== 201) refused = reply;
    }
    expect(refused, 'a store of 1 MiB took more than 6 MiB').toBeDefined();
    expectUnavailable(refused!);
    expect(stored).toBeGreaterThan(5);
    expect(stored).toBeLessThan(80);

    expectUnavailable(await post(`${url}/v1/telemetry`, { blocks: [handWritten(device, { seq: 2 })] }));
    expect((await readingsOf(url, device.id)).map(({ seq }) => seq)).toEqual([1n]);
    expect((await send(`${url}/health`)).status).toBe(503);
    expect((await send(`${node.url('local')}/health`)).status).toBe(200);
    expect((await send(`${url}/v1/devices/${device.id}`)).status).toBe(200);

    const own = await registeredDevice(node.url('local'));
    await accept(node.url('local'), handWritten(own));
    expect((await register(node.url('local'), bulky(new SimulatedDevice()))).status).toBe(201);
  });
});

describe('PUBLIC_ENABLED=false', () => {
  const node = runningNode({ env: { PUBLIC_ENABLED: 'false' } });

  test('only the local endpoint exists', async () => {
    expect(node.process.started.publicUrl).toBeNull();
    const device = await registeredDevice(node.url('local'));
    await accept(node.url('local'), handWritten(device));
    expect(await readingsOf(node.url('local'), device.id)).toHaveLength(1);
  });
});
