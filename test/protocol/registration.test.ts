import { describe, expect, test } from 'vitest';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { accept, deviceOf, handWritten, readingsOf, register } from '../support/client.ts';
import { send } from '../support/http.ts';
import { ENDPOINTS, runningNode } from '../support/node-process.ts';

const node = runningNode();

const NINE_MEMBERS = ['createdAt', 'hardware', 'id', 'location', 'mac', 'name', 'ownerPubkey', 'status', 'type'];

/** A registration with the required members alone. */
function minimal(device: SimulatedDevice) {
  return { id: device.id, mac: device.mac, ownerPubkey: device.ownerPubkey, name: device.name };
}

describe.each(ENDPOINTS)('POST /v1/devices, %s endpoint', (endpoint) => {
  const url = () => node.url(endpoint);

  test('answers 201 with the device: the sent data, status 0 and the time of creation', async () => {
    const device = new SimulatedDevice();
    const before = Date.now();
    const reply = await register(
      url(),
      device.registration({
        type: 2,
        location: 622485130170302463n,
        networks: ['a/topic'],
        localServers: ['http://192.168.1.7:3001'],
        hardware: { model: 'ESP32-S3', firmware_version: '2.1.0' },
      }),
    );
    const after = Date.now();

    expect(reply.status, reply.text).toBe(201);
    expect(Object.keys(reply.json as object)).toEqual(['device']);
    const answered = deviceOf(reply);
    expect(answered).toEqual({
      ...minimal(device),
      type: 2,
      location: 622485130170302463n,
      status: 0,
      hardware: { model: 'ESP32-S3', firmware_version: '2.1.0' },
      createdAt: answered.createdAt,
    });
    expect(answered.createdAt).toBeGreaterThanOrEqual(before);
    expect(answered.createdAt).toBeLessThanOrEqual(after);
  });

  test('answers have exactly nine members, without policies and LAN addresses', async () => {
    const device = new SimulatedDevice();
    const created = await register(url(), device.registration({ networks: ['t'], localServers: ['http://10.0.0.1'] }));
    const looked = await send(`${url()}/v1/devices/${device.id}`);
    const listed = await send(`${url()}/v1/devices`);

    const inList = (listed.json as { devices: { id: string }[] }).devices.find(({ id }) => id === device.id);
    for (const answered of [deviceOf(created), deviceOf(looked), inList!]) {
      expect(Object.keys(answered).sort()).toEqual(NINE_MEMBERS);
      expect(answered).toEqual(deviceOf(created));
    }
  });

  test('defaults: type 0, location null, hardware {}', async () => {
    const device = new SimulatedDevice();
    const reply = await register(url(), minimal(device));
    expect(reply.status, reply.text).toBe(201);
    expect(deviceOf(reply)).toMatchObject({ type: 0, location: null, status: 0 });
    expect(deviceOf(reply).hardware).toEqual({});
  });

  test('default publishTo: 1, so that a reading is kept on the public endpoint alone', async () => {
    const device = new SimulatedDevice();
    expect((await register(url(), minimal(device))).status).toBe(201);
    await accept(url(), handWritten(device, { tail: '|ph=6.20', json: { ph: { plain: 6.2 } } }));
    expect(await readingsOf(url(), device.id)).toHaveLength(endpoint === 'public' ? 1 : 0);
  });

  test.each([0, 1, 2])('type %i is kept', async (type) => {
    const device = new SimulatedDevice();
    const reply = await register(url(), { ...minimal(device), type });
    expect(reply.status, reply.text).toBe(201);
    expect(deviceOf(reply).type).toBe(type);
  });

  test('a known key gets 409 and changes nothing', async () => {
    const device = new SimulatedDevice();
    expect((await register(url(), device.registration())).status).toBe(201);
    const again = await register(url(), device.registration({ name: 'another name', mac: '0123456789ab' }));
    expect(again.status).toBe(409);
    expect(again.json).toEqual({ error: 'device_already_exists' });
    const looked = await send(`${url()}/v1/devices/${device.id}`);
    expect(deviceOf(looked)).toMatchObject({ name: device.name, mac: device.mac });
  });

  test('hex of any case is accepted and stored in lowercase', async () => {
    const device = new SimulatedDevice();
    const upper = { id: device.id.toUpperCase(), ownerPubkey: device.ownerPubkey.toUpperCase() };
    const reply = await register(url(), device.registration(upper));
    expect(reply.status, reply.text).toBe(201);
    expect(deviceOf(reply)).toMatchObject({ id: device.id, ownerPubkey: device.ownerPubkey });
    expect((await register(url(), device.registration())).status).toBe(409);
    expect(deviceOf(await send(`${url()}/v1/devices/${device.id.toUpperCase()}`)).id).toBe(device.id);
  });

  test('unknown members are ignored, also those with a meaning in JavaScript', async () => {
    const device = new SimulatedDevice();
    const text = JSON.stringify({ ...device.registration(), colour: 'green', status: 2, createdAt: 5, constructor: 1 });
    const body = text.replace(/^\{/, '{"__proto__":{"type":2},');
    const reply = await send(`${url()}/v1/devices`, { method: 'POST', body });
    expect(reply.status, reply.text).toBe(201);
    const answered = deviceOf(reply);
    expect(Object.keys(answered).sort()).toEqual(NINE_MEMBERS);
    expect(answered).toMatchObject({ type: 0, status: 0 });
    expect(answered.createdAt).toBeGreaterThan(1_700_000_000_000);
  });

  test.each(['0', '1', '9007199254740991', '9007199254740993', '613916942794711039', '18446744073709551615'])(
    'location %s is returned with every digit',
    async (digits) => {
      const device = new SimulatedDevice();
      const created = await register(url(), device.registration({ location: BigInt(digits) }));
      expect(created.status, created.text).toBe(201);
      const looked = await send(`${url()}/v1/devices/${device.id}`);
      for (const reply of [created, looked]) expect(reply.text).toMatch(new RegExp(`"location":\\s*${digits}[,}]`));
    },
  );

  test.each([
    ['the lowest', '00'],
    ['the highest', 'ff'],
  ])('%s 32 bytes register: a key need not be a point', async (_name, byte) => {
    const device = new SimulatedDevice();
    const reply = await register(url(), device.registration({ id: byte.repeat(32) }));
    expect(reply.status, reply.text).toBe(201);
  });
});
