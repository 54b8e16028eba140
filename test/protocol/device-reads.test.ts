import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type DeviceJson, deviceOf, registeredDevice } from '../support/client.ts';
import { send } from '../support/http.ts';
import { ENDPOINTS, type Endpoint, runningNode } from '../support/node-process.ts';

const node = runningNode();
const NOT_IDS = ['xyz', 'zz'.repeat(32), 'ab'.repeat(31), 'ab'.repeat(33), 'a'.repeat(300), '%20', "1'--", '..%2F..'];

describe.each(ENDPOINTS)('reading devices, %s endpoint', (endpoint) => {
  const url = () => node.url(endpoint);
  const other = (): string => node.url(endpoint === 'public' ? 'local' : ('public' satisfies Endpoint));

  test('GET /v1/devices lists every device of this store, without pages', async () => {
    const registered = [];
    for (let count = 0; count < 60; count += 1) registered.push(await registeredDevice(url()));
    const reply = await send(`${url()}/v1/devices`);
    expect(reply.status).toBe(200);
    expect(Object.keys(reply.json as object)).toEqual(['devices']);
    const ids = new Set((reply.json as { devices: DeviceJson[] }).devices.map(({ id }) => id));
    for (const device of registered) expect(ids).toContain(device.id);
  });

  test('a device of one store is unknown to the other', async () => {
    const device = await registeredDevice(url());
    expect((await send(`${url()}/v1/devices/${device.id}`)).status).toBe(200);
    expect((await send(`${other()}/v1/devices/${device.id}`)).status).toBe(404);
    expect((await send(`${other()}/v1/devices`)).text).not.toContain(device.id);
  });

  test('the same key can be registered in both stores, each with its own registration', async () => {
    const device = await registeredDevice(url(), { name: 'here' });
    const reply = await send(`${other()}/v1/devices`, {
      method: 'POST',
      body: JSON.stringify(device.registration({ name: 'there' })),
    });
    expect(reply.status).toBe(201);
    expect(deviceOf(await send(`${url()}/v1/devices/${device.id}`)).name).toBe('here');
    expect(deviceOf(await send(`${other()}/v1/devices/${device.id}`)).name).toBe('there');
  });

  test('an unknown key: 404 for the device, an empty list for its telemetry', async () => {
    const id = randomBytes(32).toString('hex');
    const reply = await send(`${url()}/v1/devices/${id}`);
    expect(reply.status).toBe(404);
    expect(reply.json).toEqual({ error: 'Device not found' });
    const telemetry = await send(`${url()}/v1/devices/${id}/telemetry`);
    expect(telemetry.status).toBe(200);
    expect(telemetry.json).toEqual({ readings: [] });
  });

  test.each(NOT_IDS)('%s, which is not a key, is answered like an unknown device', async (id) => {
    const reply = await send(`${url()}/v1/devices/${id}`);
    expect(reply.status, reply.text).toBe(404);
    expect(reply.json).toEqual({ error: 'Device not found' });
    const telemetry = await send(`${url()}/v1/devices/${id}/telemetry`);
    expect(telemetry.status, telemetry.text).toBe(200);
    expect(telemetry.json).toEqual({ readings: [] });
  });

  test('a broken percent sign in the path causes no error of the node', async () => {
    const reply = await send(`${url()}/v1/devices/%zz`);
    expect([400, 404]).toContain(reply.status);
    expect((reply.json as { error: unknown }).error).toEqual(expect.any(String));
  });

  test('a registered device without readings has an empty list', async () => {
    const device = await registeredDevice(url());
    expect((await send(`${url()}/v1/devices/${device.id}/telemetry`)).json).toEqual({ readings: [] });
  });

  test('query parameters have no effect on a single device', async () => {
    const device = await registeredDevice(url());
    expect((await send(`${url()}/v1/devices/${device.id}?limit=0`)).status).toBe(200);
  });
});
