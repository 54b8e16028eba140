import { describe, expect, test } from 'vitest';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { register } from '../support/client.ts';
import { type Reply, send } from '../support/http.ts';
import { ENDPOINTS, runningNode } from '../support/node-process.ts';

const node = runningNode();

/** A registration without one of its members. */
function without(name: string): object {
  const { [name]: _left, ...rest } = new SimulatedDevice().registration() as Record<string, unknown>;
  return rest;
}

/** A registration with one member replaced. */
function having(name: string, value: unknown): object {
  return { ...new SimulatedDevice().registration(), [name]: value };
}

/** Fails unless the reply is a 400 of the schema whose issues name the member (or the whole body). */
function expectInvalid(reply: Reply, member?: string): void {
  expect(reply.status, reply.text).toBe(400);
  const body = reply.json as { error: string; details: { path?: unknown[] }[] };
  expect(Object.keys(body).sort()).toEqual(['details', 'error']);
  expect(body.error).toBe('validation_error');
  expect(Array.isArray(body.details)).toBe(true);
  expect(body.details.length).toBeGreaterThan(0);
  if (member !== undefined) expect(body.details.map(({ path }) => path?.[0])).toContain(member);
}

const WRONG: readonly (readonly [string, unknown])[] = [
  ['id', 'ab'.repeat(31)],
  ['id', 'ab'.repeat(33)],
  ['id', `${'ab'.repeat(31)}zz`],
  ['id', `${'ab'.repeat(31)}a`],
  ['id', 5],
  ['id', null],
  ['mac', '00112233445'],
  ['mac', '00112233445566'],
  ['mac', '00112233AABB'],
  ['mac', '00:11:22:33:44:55'],
  ['mac', '00112233445g'],
  ['mac', 112233445566],
  ['ownerPubkey', 'cd'.repeat(31)],
  ['ownerPubkey', 'not hex'],
  ['ownerPubkey', []],
  ['ownerName', 5],
  ['name', ''],
  ['name', 5],
  ['name', null],
  ['type', -1],
  ['type', 3],
  ['type', 0.5],
  ['type', '0'],
  ['publishTo', -1],
  ['publishTo', 3],
  ['publishTo', 1.5],
  ['publishTo', '1'],
  ['publishTo', true],
  ['location', -1],
  ['location', 0.5],
  ['location', '613916942794711039'],
  ['location', 18446744073709551616n],
  ['location', -9223372036854775808n],
  ['name', 'Tank\u00071'],
  ['name', 'Tank\u202e1'],
  ['ownerName', 'A\u009bgrower'],
  ['networks', ['a\ntopic']],
  ['networks', 'topic'],
  ['networks', [5]],
  ['networks', {}],
  ['localServers', 'http://10.0.0.1'],
  ['localServers', [null]],
  ['hardware', 'ESP32'],
  ['hardware', { model: 5, firmware_version: '1' }],
  ['hardware', { model: 'ESP32' }],
  ['privacyPolicy', 'plain'],
  ['privacyPolicy', []],
  ['privacyPolicy', { ph: 1 }],
  ['privacyPolicy', { ph: {} }],
  ['privacyPolicy', { ph: { default_disposition: 3 } }],
  ['privacyPolicy', { ph: { default_disposition: -1 } }],
  ['privacyPolicy', { ph: { default_disposition: '1' } }],
  ['privacyPolicy', { ph: { default_disposition: 1, per_destination: [] } }],
  ['privacyPolicy', { ph: { default_disposition: 1, per_destination: { topic: 3 } } }],
];

const characters = (count: number) => 'x'.repeat(count);
const items = (count: number) => Array.from({ length: count }, (_, index) => `item ${index}`);
const destinations = (count: number) => ({
  ph: { default_disposition: 1, per_destination: Object.fromEntries(items(count).map((key) => [key, 0])) },
});

/** Member, the longest value that is taken, and the shortest that is not. */
const LIMITS: readonly (readonly [string, string, unknown, unknown])[] = [
  ['name of 1,024 characters', 'name', characters(1024), characters(1025)],
  ['name of 1,024 characters outside the basic plane', 'name', '🌱'.repeat(1024), '🌱'.repeat(1025)],
  ['ownerName of 1,024 characters', 'ownerName', characters(1024), characters(1025)],
  ['64 networks', 'networks', items(64), items(65)],
  ['64 localServers', 'localServers', items(64), items(65)],
  ['64 per_destination keys', 'privacyPolicy', destinations(64), destinations(65)],
  ['a network of 256 characters', 'networks', [characters(256)], [characters(257)]],
  ['a local server of 256 characters', 'localServers', [characters(256)], [characters(257)]],
  [
    'a destination of 256 characters',
    'privacyPolicy',
    { ph: { default_disposition: 1, per_destination: { [characters(256)]: 1 } } },
    { ph: { default_disposition: 1, per_destination: { [characters(257)]: 1 } } },
  ],
  [
    'a model of 256 characters',
    'hardware',
    { model: characters(256), firmware_version: '1' },
    { model: characters(257), firmware_version: '1' },
  ],
  [
    'a firmware version of 256 characters',
    'hardware',
    { model: 'm', firmware_version: characters(256) },
    { model: 'm', firmware_version: characters(257) },
  ],
];

describe.each(ENDPOINTS)('registrations that fail validation, %s endpoint', (endpoint) => {
  const url = () => node.url(endpoint);

  test.each(['id', 'mac', 'ownerPubkey', 'name'])('%s is required', async (name) => {
    expectInvalid(await register(url(), without(name)), name);
  });

  test.each(['ownerName', 'type', 'publishTo', 'location', 'networks', 'localServers', 'privacyPolicy', 'hardware'])(
    '%s is not required',
    async (name) => {
      const reply = await register(url(), without(name));
      expect(reply.status, reply.text).toBe(201);
    },
  );

  test.each(WRONG)('%s: %o is refused', async (name, value) => {
    const body = having(name, value);
    expectInvalid(await register(url(), body), name);
    if (name !== 'id') {
      const { id } = body as { id: string };
      expect((await send(`${url()}/v1/devices/${id}`)).status).toBe(404);
    }
  });

  test.each([[[]], ['text'], [5], [true], [null]])('a body that is %o is refused', async (body) => {
    expectInvalid(await register(url(), body));
  });

  test('every fault is reported', async () => {
    const reply = await register(url(), { ...having('mac', 'X'), type: 9, name: '' });
    expectInvalid(reply, 'mac');
    expectInvalid(reply, 'type');
    expectInvalid(reply, 'name');
  });

  test.each(LIMITS)('%s and no more', async (_what, name, longest, tooLong) => {
    const taken = await register(url(), having(name, longest));
    expect(taken.status, taken.text).toBe(201);
    expectInvalid(await register(url(), having(name, tooLong)), name);
  });
});
