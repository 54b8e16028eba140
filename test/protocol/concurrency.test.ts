import { describe, expect, test } from 'vitest';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import {
  type DeviceJson,
  handWritten,
  onlyReadingOf,
  postBlocks,
  readingsOf,
  register,
  registeredDevice,
} from '../support/client.ts';
import { send } from '../support/http.ts';
import { ENDPOINTS, runningNode } from '../support/node-process.ts';

const node = runningNode();

describe.each(ENDPOINTS)('at the same time, %s endpoint', (endpoint) => {
  const url = () => node.url(endpoint);

  test('200 posts of one block: all accepted, one reading', async () => {
    const device = await registeredDevice(url());
    const block = handWritten(device, { tail: '|ph=6.20', json: { ph: { plain: 6.2 } } });
    const results = await Promise.all(Array.from({ length: 200 }, () => postBlocks(url(), [block])));
    for (const result of results) expect(result).toEqual({ status: 200, accepted: 1, errors: [] });
    expect((await onlyReadingOf(url(), device.id)).ph).toEqual({ value: 6.2 });
  });

  test('50 registrations of one device: one 201, the others 409, one device', async () => {
    const device = new SimulatedDevice();
    const names = Array.from({ length: 50 }, (_, index) => `name ${index}`);
    const replies = await Promise.all(names.map((name) => register(url(), device.registration({ name }))));
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array(49).fill(409)]);
    const { devices } = (await send(`${url()}/v1/devices`)).json as { devices: DeviceJson[] };
    const same = devices.filter(({ id }) => id === device.id);
    expect(same.map(({ name }) => name)).toEqual([names[replies.findIndex(({ status }) => status === 201)]]);
  });

  test('many devices post at once: each has exactly its own readings', async () => {
    const devices = await Promise.all(Array.from({ length: 20 }, () => registeredDevice(url())));
    await Promise.all(
      devices.flatMap((device) =>
        [0, 1, 2, 3].map((part) =>
          postBlocks(
            url(),
            Array.from({ length: 25 }, (_, index) => handWritten(device, { seq: part * 25 + index })),
          ),
        ),
      ),
    );
    for (const device of devices) {
      const seqs = (await readingsOf(url(), device.id)).map(({ seq }) => Number(seq));
      expect(seqs).toEqual(Array.from({ length: 100 }, (_, index) => 99 - index));
    }
  });

  test('a block directly after its registration finds its device', async () => {
    for (let count = 0; count < 20; count += 1) {
      const device = await registeredDevice(url());
      expect(await postBlocks(url(), [handWritten(device)])).toMatchObject({ accepted: 1 });
      expect(await readingsOf(url(), device.id)).toHaveLength(1);
    }
  });
});
