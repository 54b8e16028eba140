import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { expectReadsGoOn, nodeStarter, processStarter } from '../durability/faults.ts';
import { expectRefusedStart, postUntilRefused } from '../durability/full-disk.ts';
import { Ledger } from '../durability/ledger.ts';
import { blockOf } from '../durability/load.ts';
import { accept, registeredDevice } from '../support/client.ts';
import { post } from '../support/http.ts';
import { NodeProcess, type RunningNode } from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { storePath } from '../support/store-file.ts';

const disk = mountSmallDisk(24);
afterAll(() => disk?.remove());
// After the line above, since hooks run in reverse: the nodes end before their folders go.
const startNode = nodeStarter();
const startProcess = processStarter();

describe.skipIf(disk === null)('a disk that is full (skipped where this user may not mount a small one)', () => {
  test('a node that is killed on a full disk starts there or refuses clearly; with space it has everything', async () => {
    const dataDir = join(disk!.folder, 'killed');
    const node = await startProcess({ dataDir });
    const ledger = new Ledger();
    const device = await registeredDevice(node.url('local'));
    ledger.confirmDevice(device.id);
    disk!.fill();
    const next = await postUntilRefused(node.url('local'), device, ledger, 1);
    await node.kill();

    const again = new NodeProcess({ dataDir });
    const started = await Promise.race([again.ready().then(() => true), again.exited.then(() => false)]).catch(
      () => false,
    );
    if (started) {
      await expectReadsGoOn(again.url('local'), device.id);
      await again.stop();
    } else {
      expectRefusedStart(await again.exited);
    }
    await again.dispose();

    disk!.free();
    const last = await startNode({ dataDir });
    expect(ledger.compareWith(storePath(dataDir, 'local'))).toEqual([]);
    await accept(last.url('local'), blockOf(device, next));
    await last.stop();
  });

  test('a restart does not change the number of the day’s readings on a full disk', async () => {
    const options = { dataDir: join(disk!.folder, 'counted'), args: ['--ui'] };
    const today = async (from: RunningNode) => {
      const dayStart = Date.now() - 12 * 60 * 60_000;
      return (await call(from, 'overview', { dayStart })).totals.readingsToday;
    };
    let node = await startNode(options);
    const device = await registeredDevice(node.url('local'));
    const blocks = Array.from({ length: 100 }, (_, index) => blockOf(device, index + 1));
    expect((await post(`${node.url('local')}/v1/telemetry`, { blocks })).status).toBe(200);
    disk!.fill();
    // The node asks for the free space once a second: what is left is then kept from readings.
    const filledAt = performance.now();
    const refusedFor = async () => {
      const { status } = await post(`${node.url('local')}/v1/telemetry`, { blocks: [blockOf(device, 101)] });
      return status === 200 ? 0 : performance.now() - filledAt;
    };
    await expect.poll(refusedFor, { timeout: 60_000 }).toBeGreaterThan(1500);
    const counted = await today(node);
    expect(counted).toBeGreaterThanOrEqual(100);
    await node.stop();
    node = await startNode(options);
    expect(await today(node)).toBe(counted);
    await node.stop();
    disk!.free();
  });
});
