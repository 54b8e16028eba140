import { afterAll, expect, test } from 'vitest';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { accept, register, registeredDevice } from '../support/client.ts';
import { post } from '../support/http.ts';
import { ENDPOINTS, folderOnDisk, removeFolder } from '../support/node-process.ts';
import { storePath } from '../support/store-file.ts';
import { expectReadsGoOn, expectUnavailable, nodeStarter, setImmutable } from './faults.ts';
import { Ledger } from './ledger.ts';
import { blockOf } from './load.ts';

const folder = folderOnDisk();
const SKIPPED = 'chattr +i does not work here, and a file mode stops no root';
const locked = new Set<string>();
afterAll(() => {
  if (locked.size > 0) setImmutable([...locked], false);
  removeFolder(folder);
});
// After the line above, since hooks run in reverse: the nodes end before their folders go.
const startNode = nodeStarter();

function freeze(paths: readonly string[]): boolean {
  for (const path of paths) locked.add(path);
  return setImmutable(paths, true);
}

function thaw(paths: readonly string[]): void {
  expect(setImmutable(paths, false)).toBe(true);
  for (const path of paths) locked.delete(path);
}

test.for(ENDPOINTS)(
  'the %s store becomes read-only under the node: 503, reads continue, and writing resumes',
  async (endpoint, ctx) => {
    const node = await startNode({ dataDir: `${folder}/running-${endpoint}` });
    const url = node.url(endpoint);
    const otherUrl = node.url(endpoint === 'public' ? 'local' : 'public');
    const ledger = new Ledger();
    const device = await registeredDevice(url);
    const otherDevice = await registeredDevice(otherUrl);
    await accept(url, blockOf(device, 1));
    ledger.confirmReading(device.id, 1);
    const store = storePath(node.dataDir, endpoint);
    const files = [store, `${store}-wal`];
    if (!freeze(files)) {
      await node.stop();
      return ctx.skip(SKIPPED);
    }
    for (const seq of [2, 3]) expectUnavailable(await post(`${url}/v1/telemetry`, { blocks: [blockOf(device, seq)] }));
    expectUnavailable(await register(url, new SimulatedDevice().registration()));
    await expectReadsGoOn(url, device.id);
    await accept(otherUrl, blockOf(otherDevice, 1));
    thaw(files);
    await accept(url, blockOf(device, 2));
    ledger.confirmReading(device.id, 2);
    await registeredDevice(url);
    expect(ledger.compareWith(store)).toEqual([]);
    await node.stop();
  },
);

test('a store that is read-only at the start: 503, reads continue; made writable, the node writes without a restart', async (ctx) => {
  const dataDir = `${folder}/start`;
  const first = await startNode({ dataDir });
  const device = await registeredDevice(first.url('local'));
  await accept(first.url('local'), blockOf(device, 1));
  await first.stop();
  const store = storePath(dataDir, 'local');
  if (!freeze([store])) return ctx.skip(SKIPPED);
  const node = await startNode({ dataDir });
  const url = node.url('local');
  expectUnavailable(await post(`${url}/v1/telemetry`, { blocks: [blockOf(device, 2)] }));
  await expectReadsGoOn(url, device.id);
  thaw([store]);
  await expect
    .poll(async () => (await post(`${url}/v1/telemetry`, { blocks: [blockOf(device, 2)] })).status, { timeout: 60_000 })
    .toBe(200);
  const ledger = new Ledger();
  for (const seq of [1, 2]) ledger.confirmReading(device.id, seq);
  expect(ledger.compareWith(store)).toEqual([]);
  await node.stop();
});
