import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { accept, deviceOf, handWritten, readingsOf, register, registeredDevice } from '../support/client.ts';
import { exchange, post, send } from '../support/http.ts';
import { runningNode } from '../support/node-process.ts';
import { call, failure } from '../support/owner-client.ts';

const node = runningNode({
  args: ['--ui'],
  env: { GATE_ADDRESS: '127.0.0.1', GATE_PORT: '0', PUBLIC_RATE_LIMIT: '0' },
});
const local = () => node.url('local');

async function gate(): Promise<string> {
  const { gate: standing } = await call(node.process, 'gate', {});
  if (standing.state !== 'listening') throw new Error(`the gate does not listen: ${JSON.stringify(standing)}`);
  return `http://${standing.address}:${standing.port}`;
}

const open = (closesAfterOne = false) => call(node.process, 'openJoining', { closesAfterOne });
const close = () => call(node.process, 'closeJoining', {});
const error = (text: string) => ({ error: text });

describe('joining', () => {
  test('is closed by default: the attempt is listed, and nothing is stored', async () => {
    const device = new SimulatedDevice();
    for (const count of [1, 2]) {
      const reply = await register(await gate(), device.registration({ name: 'Tank by the door' }));
      expect([reply.status, reply.json]).toEqual([403, error('joining_closed')]);
      const { attempts } = await call(node.process, 'gate', {});
      const attempt = { id: device.id, name: 'Tank by the door', address: '127.0.0.1', count };
      expect(attempts.at(-1)).toMatchObject(attempt);
    }
    expect((await send(`${local()}/v1/devices/${device.id}`)).status).toBe(404);
  });

  test('lets no web page register a device or post, by any name of the gate', async () => {
    await open();
    const { port } = new URL(await gate());
    const device = new SimulatedDevice();
    const host = `rebound.example:${port}`;
    for (const origin of [`http://${host}`, 'https://elsewhere.example', 'null']) {
      for (const [path, body] of [
        ['/v1/devices', device.registration()],
        ['/v1/telemetry', { blocks: [handWritten(device)] }],
      ] as const) {
        const reply = await post(`${await gate()}${path}`, body, { headers: { host, origin } });
        expect([path, reply.status, reply.json]).toEqual([path, 403, error('origin_not_allowed')]);
      }
    }
    await close();
    expect((await send(`${local()}/v1/devices/${device.id}`)).status).toBe(404);
  });

  test('answers a registered device and an invalid body as usual', async () => {
    const device = await registeredDevice(local());
    const again = await register(await gate(), device.registration());
    expect([again.status, again.json]).toEqual([409, error('device_already_exists')]);
    const wrong = await register(await gate(), { ...new SimulatedDevice().registration(), mac: 'x' });
    expect(wrong.status).toBe(400);
    expect((await send(`${await gate()}/v1/devices`, { method: 'POST', body: '{' })).status).toBe(400);
  });

  test('admits devices while it is open, like the local endpoint', async () => {
    const device = new SimulatedDevice();
    await register(await gate(), device.registration());
    const { joining } = await open();
    expect(joining.leftMs).toBeGreaterThan(9 * 60_000);
    expect(joining.leftMs).toBeLessThanOrEqual(10 * 60_000);
    const reply = await register(await gate(), device.registration());
    expect(reply.status).toBe(201);
    expect(deviceOf(reply).id).toBe(device.id);
    const view = await call(node.process, 'gate', {});
    expect(view.attempts.map(({ id }) => id)).not.toContain(device.id);
    expect(view.pending).toMatchObject([{ id: device.id, waitsFor: 'reading', address: '127.0.0.1' }]);
    expect((await send(`${local()}/v1/devices/${device.id}`)).status).toBe(404);
    await accept(await gate(), handWritten(device));
    expect(await readingsOf(local(), device.id)).toHaveLength(1);
    const after = await call(node.process, 'gate', {});
    expect([after.joining.joined, after.pending]).toEqual([[device.id], []]);
    expect((await close()).joining.leftMs).toBeNull();
    expect((await register(await gate(), new SimulatedDevice().registration())).status).toBe(403);
  });

  test('closes after one device joined if the owner chose that, also for several at once', async () => {
    await open(true);
    const url = await gate();
    const devices = Array.from({ length: 8 }, () => new SimulatedDevice());
    const registered = await Promise.all(devices.map((device) => register(url, device.registration())));
    expect(registered.map(({ status }) => status)).toEqual(devices.map(() => 201));
    expect((await call(node.process, 'gate', {})).joining.leftMs).not.toBeNull();
    const statuses = await Promise.all(
      devices.map(async (device) => (await post(`${url}/v1/telemetry`, { blocks: [handWritten(device)] })).status),
    );
    expect(statuses.toSorted()).toEqual([200, 404, 404, 404, 404, 404, 404, 404]);
    const { joining, pending } = await call(node.process, 'gate', {});
    expect([joining.leftMs, joining.joined]).toEqual([null, [devices[statuses.indexOf(200)]!.id]]);
    expect(pending.map(({ waitsFor }) => waitsFor)).toEqual(Array.from({ length: 7 }, () => 'owner'));
  });

  test('continues after a failed registration', async () => {
    await open(true);
    const known = await registeredDevice(local());
    expect((await register(await gate(), known.registration())).status).toBe(409);
    expect((await register(await gate(), new SimulatedDevice().registration())).status).toBe(201);
  });
});

describe('readings', () => {
  test('of an unregistered device are refused completely, so that it registers again', async () => {
    const stranger = new SimulatedDevice();
    const other = new SimulatedDevice();
    const blocks = [{ seq: 'x' }, handWritten(stranger), handWritten(other)];
    const reply = await post(`${await gate()}/v1/telemetry`, { blocks });
    expect([reply.status, reply.json]).toEqual([404, error(`Device not found: ${stranger.id}`)]);
    expect((await post(`${local()}/v1/telemetry`, { blocks })).status).toBe(207);
  });

  test('beside those of a registered one are refused separately', async () => {
    const known = await registeredDevice(local());
    const stranger = handWritten(new SimulatedDevice());
    const reply = await post(`${await gate()}/v1/telemetry`, { blocks: [stranger, handWritten(known)] });
    expect([reply.status, reply.json]).toMatchObject([207, { accepted: 1, errors: [{ seq: stranger.seq }] }]);
  });

  test('that are malformed, or have a wrong signature, are answered as usual', async () => {
    const known = await registeredDevice(local());
    const forged = { ...handWritten(known), signature: 'ab'.repeat(64) };
    for (const blocks of [[{ seq: 'x' }], [forged], [forged, handWritten(new SimulatedDevice())]]) {
      expect((await post(`${await gate()}/v1/telemetry`, { blocks })).status).toBe(207);
    }
  });

  test('are stored by the policy for the local destination, in the private store', async () => {
    const device = await registeredDevice(local(), { publishTo: 0 });
    await accept(await gate(), handWritten(device));
    expect(await readingsOf(local(), device.id)).toHaveLength(1);
    expect(await readingsOf(node.url('public'), device.id)).toHaveLength(0);
  });
});

test('a device that knocks is adopted with a name and a policy, and needs no restart', async () => {
  const device = new SimulatedDevice();
  const url = await gate();
  const adopt = { id: device.id, registration: null, name: 'Basil', dispositions: { ph: 0 } } as const;
  expect(await failure(node.process, 'adoptDevice', adopt)).toEqual([404, expect.objectContaining(error('not_found'))]);
  // Few knocks a second are looked at, and in the background; a device posts again by itself.
  const hasKnocked = async () => {
    expect((await post(`${url}/v1/telemetry`, { blocks: [handWritten(device)] })).status).toBe(404);
    const { unregistered } = await call(node.process, 'overview', { dayStart: 0 });
    return unregistered.some(({ id }) => id === device.id);
  };
  await expect.poll(hasKnocked, { timeout: 30_000, interval: 250 }).toBe(true);
  await call(node.process, 'adoptDevice', adopt);
  expect((await failure(node.process, 'adoptDevice', adopt))[0]).not.toBe(200);
  const { json } = await send(`${local()}/v1/devices/${device.id}`);
  expect(json).toMatchObject({ device: { id: device.id, name: 'Basil' } });
  const block = handWritten(device, { tail: '|ph=6.10|ec=900', json: { ph: { plain: 6.1 }, ec: { plain: 900 } } });
  await accept(await gate(), block);
  expect((await readingsOf(local(), device.id))[0]).toMatchObject({ ph: null, ec: { value: 900 } });
});

test('a later registration under an id replaces no earlier one, and the owner adopts the shown one', async () => {
  const device = new SimulatedDevice({ ownerPubkey: 'aa'.repeat(32) });
  await register(await gate(), device.registration({ name: 'Mine' }));
  for (const name of ['Theirs', 'Theirs 2', 'Theirs 3', 'Theirs 4']) {
    await register(await gate(), device.registration({ name, ownerPubkey: 'bb'.repeat(32) }));
  }
  const shown = (await call(node.process, 'gate', {})).attempts.filter(({ id }) => id === device.id);
  expect(shown.map(({ name, ownerPubkey }) => [name, ownerPubkey.slice(0, 2)])).toEqual([
    ['Mine', 'aa'],
    ...['Theirs', 'Theirs 2', 'Theirs 3'].map((name) => [name, 'bb']),
  ]);
  const adopt = { id: device.id, name: 'Mine', dispositions: {} };
  expect((await failure(node.process, 'adoptDevice', { ...adopt, registration: 'none' }))[0]).toBe(409);
  await call(node.process, 'adoptDevice', { ...adopt, registration: shown[0]!.registration });
  const { json } = await send(`${local()}/v1/devices/${device.id}`);
  expect(json).toMatchObject({ device: { name: 'Mine', ownerPubkey: 'aa'.repeat(32) } });
  expect((await call(node.process, 'gate', {})).attempts.map(({ id }) => id)).not.toContain(device.id);
});

test('the owner’s policy for an adopted device applies only to this node', async () => {
  const { publicKey } = await call(node.process, 'nodeInfo', {});
  const elsewhere = 'cd'.repeat(32);
  const device = new SimulatedDevice();
  const ph = { default_disposition: 2, per_destination: { [elsewhere]: 1 } } as const;
  await register(await gate(), device.registration({ publishTo: 2, privacyPolicy: { ph, water_level: ph } }));
  const { attempts } = await call(node.process, 'gate', {});
  const { registration } = attempts.find(({ id }) => id === device.id)!;
  await call(node.process, 'adoptDevice', {
    id: device.id,
    registration,
    name: 'Mint',
    dispositions: { ph: 0, ec: 0 },
  });
  const { stores } = await call(node.process, 'device', { id: device.id });
  expect(stores[0]).toMatchObject({ dispositions: { ph: 0, ec: 0, waterLevel: 2, humidity: 1 } });
  expect(stores[0]!.privacyPolicy).toEqual({
    ph: { default_disposition: 2, per_destination: { [elsewhere]: 1, [publicKey]: 0 } },
    ec: { default_disposition: 1, per_destination: { [publicKey]: 0 } },
    water_level: ph,
  });
});

describe('any body', () => {
  const anyJson = fc.jsonValue({ maxDepth: 5 });
  const known = new SimulatedDevice();
  const spoilt = (sound: () => object) =>
    fc
      .dictionary(fc.constantFrom(...Object.keys(sound()), 'extra', 'constructor'), anyJson, { minKeys: 1, maxKeys: 4 })
      .map((replaced) => ({ ...sound(), ...replaced }));
  const block = fc.oneof(
    anyJson,
    spoilt(() => handWritten(known)),
    spoilt(() => handWritten(new SimulatedDevice())),
  );
  const saneAnswers = async (path: string, bodies: fc.Arbitrary<string>, statuses: readonly number[]) => {
    const url = await gate();
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const reply = await send(url + path, { method: 'POST', body });
        expect(statuses, reply.text).toContain(reply.status);
        expect(() => reply.json).not.toThrow();
      }),
      { numRuns: 200 },
    );
  };

  test.each(['closed', 'open'])(
    'of a registration never fails, and stores nothing while joining is %s',
    async (state) => {
      if (state === 'open') await open();
      const before = (await send(`${local()}/v1/devices`)).text;
      const bodies = fc
        .oneof(
          anyJson,
          spoilt(() => new SimulatedDevice().registration()),
        )
        .map((body) => JSON.stringify(body));
      await saneAnswers(
        '/v1/devices',
        fc.oneof(bodies, fc.string()),
        state === 'open' ? [201, 400, 403, 409] : [400, 403],
      );
      if (state === 'open') await close();
      else expect((await send(`${local()}/v1/devices`)).text).toBe(before);
    },
  );

  test('of a batch never fails, and stores nothing of a device that is not registered', async () => {
    await register(local(), known.registration());
    const blocks = fc.record({ blocks: fc.oneof(anyJson, fc.array(block, { maxLength: 6 })) });
    const bodies = fc.oneof(blocks, anyJson).map((body) => JSON.stringify(body));
    await saneAnswers('/v1/telemetry', fc.oneof(bodies, fc.string()), [200, 207, 400, 404]);
  });
});

describe('whatever else is asked', () => {
  const MARK = 7013.25;

  test('is answered 404, for any client and method', async () => {
    const device = await registeredDevice(local());
    const paths = [
      '/',
      '/v1',
      '/v1/devices',
      `/v1/devices/${device.id}`,
      `/v1/devices/${device.id}/telemetry`,
      `//v1/devices/${device.id}/telemetry`,
      `/v1/devices/${device.id}/telemetry/`,
      `/v1/../v1/devices/${device.id}/telemetry`,
      `/v1/devices/%/telemetry`,
      '/openapi.json',
      '/ui/',
      '/ui/api/overview',
      '/ui/events',
      '/v1/telemetry',
      '/v1/auth/challenge',
      '/HEALTH',
      '/health/',
    ];
    for (const path of paths) {
      for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'POST']) {
        if (method === 'POST' && (path === '/v1/devices' || path === '/v1/telemetry')) continue;
        const reply = await send(`${await gate()}${path}`, { method });
        expect([method, path, reply.status, reply.json]).toEqual([method, path, 404, error('not_found')]);
      }
    }
    expect((await send(`${await gate()}/health`, { method: 'POST', body: '{}' })).json).toEqual(error('not_found'));
    expect((await send(`${await gate()}/health`)).json).toMatchObject({ status: 'ok' });
  });

  test('no byte of a private reading leaves through it', async () => {
    const device = await registeredDevice(local());
    await accept(local(), handWritten(device, { tail: `|ec=${MARK}`, json: { ec: { plain: MARK } } }));
    const url = await gate();
    const segment = fc.constantFrom(
      ...['v1', 'devices', 'telemetry', device.id, device.id.toUpperCase(), 'ui', 'api', '..', '.', '%2e%2e', '', '*'],
      ...['openapi.json', 'health', 'latest', '?limit=500', '%2f', ';a=b', '#', 'history', 'latestReadings'],
    );
    const request = fc.record({
      method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'SEARCH'),
      path: fc.array(segment, { maxLength: 7 }).map((parts) => `/${parts.join('/')}`),
      host: fc.constantFrom('localhost', '127.0.0.1', '127.0.0.1:3001', 'evil.example', ''),
      header: fc.constantFrom('', 'Upgrade: websocket\r\nConnection: upgrade\r\n', 'X-HTTP-Method-Override: GET\r\n'),
      body: fc.constantFrom('', '{}', `{"id":"${device.id}"}`, '{"blocks":[]}', '{"blocks":[{}]}'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 20, maxLength: 20 }), async (requests) => {
        const texts = await Promise.all(
          requests.map(({ method, path, host, header, body }) =>
            exchange(
              url,
              `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${header}Content-Type: application/json\r\n` +
                `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
            ),
          ),
        );
        for (const text of texts) expect(text).not.toContain(String(MARK));
        for (const text of texts) expect(text).not.toMatch(/"(?:readings|devices)":\[\{/);
      }),
      { numRuns: 150 },
    );
    expect(
      JSON.stringify(await readingsOf(local(), device.id), (_, v) => (typeof v === 'bigint' ? `${v}` : v)),
    ).toContain(String(MARK));
  }, 120_000);
});
