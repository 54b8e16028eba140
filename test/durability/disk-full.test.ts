import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { accept, register, registeredDevice } from '../support/client.ts';
import { post } from '../support/http.ts';
import { runToEnd } from '../support/node-process.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { storePath } from '../support/store-file.ts';
import { expectReadsGoOn, expectUnavailable, nodeStarter } from './faults.ts';
import { expectRefusedStart, firstAccepted, postUntilRefused } from './full-disk.ts';
import { Ledger } from './ledger.ts';
import { blockOf } from './load.ts';

const disk = mountSmallDisk(24);
afterAll(() => disk?.remove());
// After the line above, since hooks run in reverse: the nodes end before their folders go.
const startNode = nodeStarter();

describe.skipIf(disk === null)('a disk that is full (skipped where this user may not mount a small one)', () => {
  test('answers 503 while it is full, reads continue, nothing confirmed is lost, and writing resumes by itself', async () => {
    const node = await startNode({ dataDir: join(disk!.folder, 'data') });
    const url = node.url('local');
    const ledger = new Ledger();
    const devices = await Promise.all([1, 2, 3].map(() => registeredDevice(url)));
    for (const device of devices) {
      await accept(url, blockOf(device, 1));
      ledger.confirmReading(device.id, 1);
    }
    // The disk fills up under way, with several clients in flight.
    const posting = devices.map((device) => postUntilRefused(url, device, ledger, 2));
    await expect.poll(() => ledger.readings, { timeout: 60_000 }).toBeGreaterThan(500);
    disk!.fill();
    const nextSeqs = await Promise.all(posting);

    for (let attempt = 0; attempt < 5; attempt += 1) {
      const blocks = Array.from({ length: 100 }, (_, index) => blockOf(devices[0]!, nextSeqs[0]! + index));
      expectUnavailable(await post(`${url}/v1/telemetry`, { blocks }));
      await expectReadsGoOn(url, devices[0]!.id);
    }
    expect(ledger.compareWith(storePath(node.dataDir, 'local'))).toEqual([]);

    disk!.free();
    for (const [index, device] of devices.entries()) {
      await firstAccepted(url, device, nextSeqs[index]!);
      ledger.confirmReading(device.id, nextSeqs[index]!);
    }
    const late = await registeredDevice(url);
    ledger.confirmDevice(late.id);
    expect(ledger.compareWith(storePath(node.dataDir, 'local'))).toEqual([]);
    await node.stop();
    expect(ledger.compareWith(storePath(node.dataDir, 'local'))).toEqual([]);
  });

  test('keeps its last tenth from devices, and the node starts with it', async () => {
    const dataDir = join(disk!.folder, 'reserve');
    const first = await startNode({ dataDir });
    const device = await registeredDevice(first.url('local'));
    await first.stop();
    disk!.fill(2 * 1024 ** 2);
    try {
      const node = await startNode({ dataDir });
      expectUnavailable(await post(`${node.url('local')}/v1/telemetry`, { blocks: [blockOf(device, 1)] }));
      const refusals = () => node.records.filter(({ msg }) => msg === 'the store refuses writes');
      await expect.poll(refusals).toMatchObject([{ code: 'reserved' }]);
      await node.stop();
    } finally {
      disk!.free();
    }
  });

  test('a log on the same disk neither stops nor ends the node, and continues when there is space', async () => {
    const stdoutFile = join(disk!.folder, 'node.log');
    const node = await startNode({ dataDir: join(disk!.folder, 'logged'), stdoutFile });
    const url = node.url('local');
    const device = await registeredDevice(url);
    // To the end of a page: else the file has room although the disk has none.
    appendFileSync(stdoutFile, ' '.repeat(4095 - (statSync(stdoutFile).size % 4096)));
    appendFileSync(stdoutFile, '\n');
    disk!.fill();
    // The first refusal is what is logged.
    const next = await postUntilRefused(url, device, new Ledger(), 1);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expectUnavailable(await post(`${url}/v1/telemetry`, { blocks: [blockOf(device, next)] }));
      await expectReadsGoOn(url, device.id);
    }
    expect(node.records.at(-1)).toMatchObject({ msg: 'node started' });

    disk!.free();
    await firstAccepted(url, device, next);
    await node.stop();
    expect(node.records.at(-1)).toMatchObject({ msg: 'node stopped' });
  });

  test('a first start on a full disk refuses clearly and leaves nothing that disturbs the next one', async () => {
    const dataDir = join(disk!.folder, 'first');
    disk!.fill();
    expectRefusedStart(await runToEnd({ dataDir }));
    disk!.free();
    const node = await startNode({ dataDir });
    expect((await register(node.url('local'), new SimulatedDevice().registration())).status).toBe(201);
    await node.stop();
  });
});
