import { afterAll, beforeAll, expect, it } from 'vitest';
import { DirectWriter } from '../../src/main/store/sqlite/write/direct-writer.ts';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { registeredDevice } from '../support/client.ts';
import { type RunningNode, removeFolder, startNode, temporaryFolder } from '../support/node-process.ts';
import { call, sendCall } from '../support/owner-client.ts';
import { newReading } from '../support/readings.ts';
import { queryStore, storePath } from '../support/store-file.ts';

const READINGS = 20_000;
const MINUTE = 60_000;
const dataDir = temporaryFolder();
const start = () => startNode({ dataDir, args: ['--ui'] });
let device: SimulatedDevice;
let node: RunningNode;

/** More readings than a stop would wait for, written straight into the store of a node that is down. */
beforeAll(async () => {
  node = await start();
  device = await registeredDevice(node.url('local'));
  await node.stop();
  const writer = new DirectWriter(storePath(dataDir, 'local'));
  const first = Date.now() - READINGS * MINUTE;
  for (let from = 0; from < READINGS; from += 5000) {
    const readings = Array.from({ length: 5000 }, (_, index) => {
      const time = first + (from + index) * MINUTE;
      return newReading(device.id, {
        seq: BigInt(from + index),
        timestamp: BigInt(time),
        receivedAt: time,
        fields: [6],
      });
    });
    writer.append(readings);
  }
  writer.close();
});
afterAll(async () => {
  await node.dispose();
  removeFolder(dataDir);
});

it('a stop does not wait for it; the device stays with fewer readings, and can be deleted later', async () => {
  const { id } = device;
  node = await start();
  const body = JSON.stringify({ id, store: 'private', confirm: id });
  const cutOff = sendCall(node, 'forgetDevice', body).then(
    ({ status }) => status,
    () => 'no answer',
  );
  // Asked of the file: the node's own answer may take as long as forgetting does.
  const left = () => Number(queryStore(dataDir, 'local', 'SELECT count(*) AS count FROM readings')[0]!.count);
  await expect.poll(left, { timeout: 60_000, interval: 10 }).toBeLessThan(READINGS);
  expect((await sendCall(node, 'forgetDevice', body)).json).toMatchObject({ ok: false, error: 'conflict' });
  const exit = await node.stop();
  expect([exit.code, exit.stderr]).toEqual([0, '']);
  expect([503, 'no answer']).toContain(await cutOff);

  const [{ count } = { count: 0n }] = queryStore(dataDir, 'local', 'SELECT count(*) AS count FROM readings');
  expect(Number(count)).toBeGreaterThan(0);
  node = await start();
  const { readings, stores } = await call(node, 'device', { id });
  expect([readings, stores.length]).toEqual([[{ store: 'private', count: Number(count) }], 1]);
  expect(await call(node, 'forgetDevice', { id, store: 'private', confirm: id })).toEqual({ readings: Number(count) });
  await node.stop();
  expect(queryStore(dataDir, 'local', 'SELECT * FROM hourly_rollups LIMIT 1')).toEqual([]);
});
