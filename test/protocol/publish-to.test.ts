import { describe, expect, test } from 'vitest';
import { type BlockInput, SimulatedDevice } from '../../src/simulator/device.ts';
import { accept, handWritten, readingsOf, refuse, register } from '../support/client.ts';
import { type Endpoint, isOverPostgres, runningNode } from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';

const node = runningNode({ args: ['--ui'] });

/** publishTo, the endpoint that a block is posted to, and whether it is kept there. */
const CASES: readonly (readonly [number, Endpoint, boolean])[] = [
  [0, 'public', false],
  [1, 'public', true],
  [2, 'public', true],
  [0, 'local', true],
  [1, 'local', false],
  [2, 'local', true],
];

/** A device that is registered on both endpoints. */
async function onBoth(publishTo: number): Promise<SimulatedDevice> {
  const device = new SimulatedDevice();
  for (const endpoint of ['public', 'local'] as const) {
    const reply = await register(node.url(endpoint), { ...device.registration(), publishTo });
    expect(reply.status, reply.text).toBe(201);
  }
  return device;
}

function blockOf(device: SimulatedDevice, seq = 1): BlockInput {
  return handWritten(device, { seq, tail: '|ph=6.20', json: { ph: { plain: 6.2 } } });
}

describe.each(CASES)('publishTo %i, posted to the %s endpoint', (publishTo, endpoint, kept) => {
  const other: Endpoint = endpoint === 'public' ? 'local' : 'public';

  test(`is accepted and ${kept ? 'kept' : 'not kept'} there, and never reaches the other store`, async () => {
    const device = await onBoth(publishTo);
    await accept(node.url(endpoint), blockOf(device));
    await accept(node.url(endpoint), blockOf(device));
    expect(await readingsOf(node.url(endpoint), device.id)).toHaveLength(kept ? 1 : 0);
    expect(await readingsOf(node.url(other), device.id)).toEqual([]);
  });

  test('is still validated', async () => {
    const device = await onBoth(publishTo);
    const url = node.url(endpoint);
    expect(await refuse(url, { ...blockOf(device), signature: '00'.repeat(64) })).toBe(
      `Invalid signature for device ${device.id}`,
    );
    expect(await refuse(url, { ...blockOf(device), seq: '2' })).toBe(`Raw/JSON mismatch for device ${device.id}`);
    expect(await refuse(url, { ...blockOf(device), ph: {} })).toMatch(/^Invalid block: ph: /);
    expect(await readingsOf(url, device.id)).toEqual([]);
  });
});

test('a device that publishes to both has in each store what it sent there', async () => {
  const device = await onBoth(2);
  await accept(node.url('public'), handWritten(device, { tail: '|ph=6.20', json: { ph: { plain: 6.2 } } }));
  await accept(
    node.url('local'),
    handWritten(device, { tail: '|ph=6.20|ec=900', json: { ph: { plain: 6.2 }, ec: { plain: 900 } } }),
  );
  expect((await readingsOf(node.url('public'), device.id))[0]).toMatchObject({ ph: { value: 6.2 }, ec: null });
  expect((await readingsOf(node.url('local'), device.id))[0]).toMatchObject({ ph: { value: 6.2 }, ec: { value: 900 } });
});

test('each store follows the publishTo of its registration', async () => {
  const device = new SimulatedDevice();
  expect((await register(node.url('public'), device.registration({ publishTo: 1 }))).status).toBe(201);
  expect((await register(node.url('local'), device.registration({ publishTo: 0 }))).status).toBe(201);
  for (const endpoint of ['public', 'local'] as const) {
    await accept(node.url(endpoint), blockOf(device));
    expect(await readingsOf(node.url(endpoint), device.id)).toHaveLength(1);
  }
});

test.each([...(isOverPostgres ? [] : [[0, 'public'] as const]), [1, 'local'] as const])(
  'what publishTo %i keeps out of the %s store is counted for the owner',
  async (publishTo, endpoint) => {
    const device = await onBoth(publishTo);
    for (let seq = 1; seq <= 3; seq += 1) await accept(node.url(endpoint), blockOf(device, seq));
    const store = endpoint === 'public' ? 'public' : 'private';
    await expect
      .poll(async () => (await call(node.process, 'device', { id: device.id })).withheld, { timeout: 60_000 })
      .toMatchObject([{ store, cause: 'publish_to', field: null, count: 3 }]);
  },
);
