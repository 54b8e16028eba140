import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { expectReadsGoOn, expectUnavailable, processStarter } from '../durability/faults.ts';
import { blockOf } from '../durability/load.ts';
import { accept, readingsOf, register, registeredDevice } from '../support/client.ts';
import { post, send } from '../support/http.ts';
import { mountLoopDisk } from '../support/loop-disk.ts';
import type { NodeProcess } from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';

// Of ext4, as on an SD card: a file system in memory has room for names and empty files when it is full.
const disk = mountLoopDisk(96);
afterAll(() => disk?.remove());
const startNode = processStarter();

/** Waits until the endpoint says by itself that it takes readings again: nobody posts any. */
async function recovered(node: NodeProcess): Promise<void> {
  await expect.poll(async () => (await send(`${node.url('local')}/health`)).status, { timeout: 60_000 }).toBe(200);
}

describe.skipIf(disk === null)('a disk without a free byte (skipped where this user may not mount one)', () => {
  test('a node that was stopped starts there, again and again, reads, says so, and writes once there is room', async () => {
    const dataDir = join(disk!.folder, 'data');
    let node = await startNode({ dataDir });
    const device = await registeredDevice(node.url('local'));
    await accept(node.url('local'), blockOf(device, 1));
    await node.stop();
    for (let start = 1; start <= 2; start += 1) {
      disk!.fill();
      expect(disk!.freeBytes()).toBe(0);
      node = await startNode({ dataDir, args: ['--ui'] });
      expect(await readingsOf(node.url('local'), device.id)).toHaveLength(1);
      await expectReadsGoOn(node.url('local'), device.id);
      expect((await send(`${node.url('public')}/health`)).status).toBe(503);
      expectUnavailable(await post(`${node.url('local')}/v1/telemetry`, { blocks: [blockOf(device, 2)] }));
      await node.stop();
    }
    disk!.fill();
    node = await startNode({ dataDir });
    disk!.free();
    await recovered(node);
    await accept(node.url('local'), blockOf(device, 2));
    await node.stop();
  });

  test('the last space is for the owner, who can write notes, delete data and change settings', async () => {
    const node = await startNode({ dataDir: join(disk!.folder, 'owner'), args: ['--ui'] });
    const device = await registeredDevice(node.url('local'));
    await accept(node.url('local'), blockOf(device, 1));
    disk!.fill();
    disk!.leave(4 * 1024 ** 2);
    await expect
      .poll(async () => (await send(`${node.url('local')}/health`)).json, { timeout: 60_000 })
      .toMatchObject({ status: 'storage_unavailable' });
    expectUnavailable(await register(node.url('local'), new SimulatedDevice().registration()));
    await call(node, 'setSettings', { change: { language: 'es' } });
    // Nothing that the owner writes makes the store seem to take readings.
    await call(node, 'forgetDevice', { id: device.id, store: 'private', confirm: device.id });
    expectUnavailable(await register(node.url('local'), device.registration()));
    expect((await send(`${node.url('local')}/v1/devices/${device.id}`)).status).toBe(404);
    expect((await send(`${node.url('local')}/health`)).status).toBe(503);
    disk!.free();
    await recovered(node);
    expect((await register(node.url('local'), device.registration())).status).toBe(201);
    await node.stop();
  });
});
