import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { handWritten, readingsOf, registeredDevice } from '../support/client.ts';
import { type Reply, send } from '../support/http.ts';
import { ENDPOINTS, runningNode } from '../support/node-process.ts';
import { runs } from '../support/thorough.ts';

const node = runningNode();
const anyJson = fc.jsonValue({ maxDepth: 5 });

/** A sound object in which some members are replaced by any JSON. */
function spoilt(sound: () => object): fc.Arbitrary<unknown> {
  const names = Object.keys(sound());
  const member = fc.constantFrom(...names, 'extra', 'toString', 'constructor');
  return fc
    .dictionary(member, anyJson, { minKeys: 1, maxKeys: 4, noNullPrototype: true })
    .map((replaced) => ({ ...sound(), ...replaced }));
}

const fields = {
  ph: { plain: 6.2 },
  ec: { cipher: 'ab'.repeat(20), nonce: '22'.repeat(12) },
  waterLevel: null,
};
const soundBlock = () => handWritten(new SimulatedDevice(), { json: fields });
const soundRegistration = () =>
  new SimulatedDevice().registration({ location: 5, ownerName: 'Ana', networks: ['t'], localServers: ['s'] });

/** Numbers, names and nestings that values cannot say but texts can. */
const oddText = fc.constantFrom(
  '1e400',
  '-0',
  '1e-400',
  '123456789012345678901234567890',
  '1E5',
  '"\\ud800"',
  '{"__proto__":{}}',
);

function expectSaneAnswer(reply: Reply, statuses: readonly number[]): void {
  expect(statuses, reply.text).toContain(reply.status);
  expect(reply.headers['content-type']).toMatch(/^application\/json\b/);
  expect(() => reply.json).not.toThrow();
}

describe.each(ENDPOINTS)('any JSON as body, %s endpoint', (endpoint) => {
  const postText = (path: string, body: string) => send(node.url(endpoint) + path, { method: 'POST', body });

  test.each([
    ['any value', anyJson],
    ['a registration with members replaced', spoilt(soundRegistration)],
  ])(
    'POST /v1/devices with %s never fails',
    async (_what, bodies) => {
      await fc.assert(
        fc.asyncProperty(bodies, async (body) => {
          expectSaneAnswer(await postText('/v1/devices', JSON.stringify(body)), [201, 400, 409]);
        }),
        runs(50),
      );
    },
    60_000,
  );

  test.each([
    ['any value', anyJson],
    ['any members', fc.record({ blocks: anyJson })],
    ['any blocks', fc.record({ blocks: fc.array(anyJson, { maxLength: 6 }) })],
    [
      'blocks with members replaced',
      fc.record({ blocks: fc.array(spoilt(soundBlock), { minLength: 1, maxLength: 6 }) }),
    ],
  ])(
    'POST /v1/telemetry with %s never fails',
    async (_what, bodies) => {
      await fc.assert(
        fc.asyncProperty(bodies, async (body) => {
          expectSaneAnswer(await postText('/v1/telemetry', JSON.stringify(body)), [200, 207, 400]);
        }),
        runs(50),
      );
    },
    60_000,
  );

  test('odd numbers and texts in any member never fail', async () => {
    const block = soundBlock();
    const registration = soundRegistration();
    await fc.assert(
      fc.asyncProperty(
        oddText,
        fc.constantFrom(...Object.keys(block)),
        fc.constantFrom(...Object.keys(registration)),
        async (text, blockMember, registrationMember) => {
          const placed = (sound: object, name: string) =>
            JSON.stringify({ ...sound, [name]: 'HERE' }).replace('"HERE"', text);
          const batch = `{"blocks":[${placed(block, blockMember)}]}`;
          expectSaneAnswer(await postText('/v1/telemetry', batch), [200, 207, 400]);
          const devices = placed(registration, registrationMember);
          expectSaneAnswer(await postText('/v1/devices', devices), [201, 400, 409]);
        },
      ),
      runs(40),
    );
  });

  test('any bytes never fail', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom('/v1/devices', '/v1/telemetry'),
        async (body, path) => {
          const reply = await send(node.url(endpoint) + path, { method: 'POST', body });
          expectSaneAnswer(reply, [400]);
        },
      ),
      runs(40),
    );
  });

  test('a valid block among any others is stored', async () => {
    const device = await registeredDevice(node.url(endpoint));
    let seq = 0n;
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyJson, { maxLength: 3 }),
        fc.array(anyJson, { maxLength: 3 }),
        async (before, after) => {
          seq += 1n;
          const good = handWritten(device, { seq, timestamp: seq });
          const reply = await postText('/v1/telemetry', JSON.stringify({ blocks: [...before, good, ...after] }));
          expect(reply.json).toMatchObject({ accepted: 1 });
          expect((reply.json as { errors: unknown[] }).errors).toHaveLength(before.length + after.length);
          expect((await readingsOf(node.url(endpoint), device.id))[0]!.seq).toBe(seq);
        },
      ),
      runs(25),
    );
  });
});
