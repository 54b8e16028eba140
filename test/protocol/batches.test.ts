import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { handWritten, onlyReadingOf, postBlocks, readingsOf, registeredDevice } from '../support/client.ts';
import { post, send } from '../support/http.ts';
import { ENDPOINTS, runningNode } from '../support/node-process.ts';

const node = runningNode();

function blocksOf(device: SimulatedDevice, count: number) {
  return Array.from({ length: count }, (_, seq) => handWritten(device, { seq }));
}

describe.each(ENDPOINTS)('batches, %s endpoint', (endpoint) => {
  const url = () => node.url(endpoint);

  test.each([1, 2, 100])('%i blocks are accepted', async (count) => {
    const device = await registeredDevice(url());
    const reply = await post(`${url()}/v1/telemetry`, { blocks: blocksOf(device, count) });
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({ accepted: count, errors: [] });
    expect(await readingsOf(url(), device.id)).toHaveLength(count);
  });

  test('101 blocks are refused together', async () => {
    const device = await registeredDevice(url());
    const reply = await post(`${url()}/v1/telemetry`, { blocks: blocksOf(device, 101) });
    expect(reply.status).toBe(400);
    expect(reply.json).toMatchObject({ error: 'validation_error' });
    expect(await readingsOf(url(), device.id)).toEqual([]);
  });

  test.each([
    ['no blocks', {}],
    ['an empty list', { blocks: [] }],
    ['blocks that are null', { blocks: null }],
    ['blocks that are an object', { blocks: {} }],
    ['blocks that are text', { blocks: 'x' }],
    ['a list as body', []],
    ['null as body', null],
    ['a number as body', 5],
  ])('%s: 400 with the issues', async (_what, body) => {
    const reply = await post(`${url()}/v1/telemetry`, body);
    expect(reply.status).toBe(400);
    const { error, details } = reply.json as { error: string; details: unknown[] };
    expect(error).toBe('validation_error');
    expect(Array.isArray(details)).toBe(true);
    expect(details.length).toBeGreaterThan(0);
  });

  test('unknown members of the batch are ignored', async () => {
    const device = await registeredDevice(url());
    const reply = await post(`${url()}/v1/telemetry`, { blocks: blocksOf(device, 1), sent: 5 });
    expect(reply.json).toEqual({ accepted: 1, errors: [] });
  });

  test('each block counts separately: valid ones are stored, each other one has its error', async () => {
    const device = await registeredDevice(url());
    const stranger = new SimulatedDevice();
    const good = (seq: number) => handWritten(device, { seq, tail: '|ph=6.20', json: { ph: { plain: 6.2 } } });
    const result = await postBlocks(url(), [
      good(1),
      handWritten(stranger, { seq: 2 }),
      good(3),
      { ...good(4), signature: randomBytes(64).toString('hex') },
      { ...good(5), ph: { plain: 7 } },
      { ...good(6), ph: {} },
      null,
      good(8),
    ]);
    expect(result).toEqual({
      status: 207,
      accepted: 3,
      errors: [
        { seq: '2', error: `Device not found: ${stranger.id}` },
        { seq: '4', error: `Invalid signature for device ${device.id}` },
        { seq: '5', error: `Raw/JSON mismatch for device ${device.id}` },
        { seq: '6', error: expect.stringMatching(/^Invalid block: ph: ./) },
        { seq: '', error: expect.stringMatching(/^Invalid block: [^:]+: ./) },
      ],
    });
    expect((await readingsOf(url(), device.id)).map(({ seq }) => seq).sort()).toEqual([1n, 3n, 8n]);
  });

  test('a batch without a valid block gets 207 and 0', async () => {
    const stranger = new SimulatedDevice();
    const result = await postBlocks(url(), blocksOf(stranger, 100));
    expect(result).toMatchObject({ status: 207, accepted: 0 });
    expect(result.errors).toEqual(
      Array.from({ length: 100 }, (_, seq) => ({ seq: String(seq), error: `Device not found: ${stranger.id}` })),
    );
  });

  test('a batch can have blocks of several devices', async () => {
    const devices = [await registeredDevice(url()), await registeredDevice(url()), await registeredDevice(url())];
    const result = await postBlocks(
      url(),
      devices.map((device) => handWritten(device, { seq: 7 })),
    );
    expect(result).toEqual({ status: 200, accepted: 3, errors: [] });
    for (const device of devices) expect((await onlyReadingOf(url(), device.id)).seq).toBe(7n);
  });

  test('a block of the other store’s device is refused as unknown, and nothing is stored', async () => {
    const other = node.url(endpoint === 'public' ? 'local' : 'public');
    const device = await registeredDevice(other);
    const result = await postBlocks(url(), blocksOf(device, 1));
    expect(result.errors).toEqual([{ seq: '0', error: `Device not found: ${device.id}` }]);
    expect((await send(`${url()}/v1/devices/${device.id}/telemetry`)).json).toEqual({ readings: [] });
    expect(await readingsOf(other, device.id)).toEqual([]);
  });
});
