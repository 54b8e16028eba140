import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'vitest';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { accept, registeredDevice } from '../support/client.ts';
import { post } from '../support/http.ts';
import { ENDPOINTS } from '../support/node-process.ts';
import { slowness } from '../support/pace.ts';
import { holdLock, storePath } from '../support/store-file.ts';
import { THOROUGH } from '../support/thorough.ts';
import { expectReadsGoOn, expectUnavailable, nodeStarter } from './faults.ts';
import { Ledger } from './ledger.ts';
import { blockOf } from './load.ts';

const startNode = nodeStarter();

const HOLD_MS = 10_000;
/** How long a block waits for a store that is locked, until it is refused (src/main/store/sqlite/write/store-server.ts). */
const WAITS_MS = 4_000;
/** How much longer an answer may take on a quiet machine: a device gives up after 8 s. */
const ANSWER_WITHIN_MS = 3_000;

interface Answer {
  readonly status: number;
  readonly tookMs: number;
}

/** Posts a device's blocks one after the other, each until it is confirmed, until told to stop. */
async function postLoop(url: string, device: SimulatedDevice, ledger: Ledger, signal: AbortSignal): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let seq = 1; !signal.aborted; ) {
    const startedAt = performance.now();
    const reply = await post(`${url}/v1/telemetry`, { blocks: [blockOf(device, seq)] }, { timeoutMs: 60_000 });
    answers.push({ status: reply.status, tookMs: performance.now() - startedAt });
    if (reply.status === 200) {
      ledger.confirmReading(device.id, seq);
      seq += 1;
      await delay(20);
    } else expectUnavailable(reply);
  }
  return answers;
}

/** Both stores have the same writer: the long run holds each of them. */
const HELD = THOROUGH > 1 ? ENDPOINTS : (['public'] as const);

test.concurrent.for(HELD)(
  'the %s store is locked by another process for 10 s under load',
  { timeout: 120_000 },
  async (endpoint, { expect }) => {
    const node = await startNode();
    const url = node.url(endpoint);
    const otherUrl = node.url(endpoint === 'public' ? 'local' : 'public');
    const ledger = new Ledger();
    const devices = await Promise.all(Array.from({ length: 12 }, () => registeredDevice(url)));
    const otherDevice = await registeredDevice(otherUrl);
    const store = storePath(node.dataDir, endpoint);
    const ended = new AbortController();
    // Devices come in one by one, so that their requests wait in every stage of the queue.
    const loops = devices.map(async (device, index) => {
      await delay(index * 37);
      return await postLoop(url, device, ledger, ended.signal);
    });
    await expect.poll(() => ledger.devices).toBe(devices.length);

    const release = await holdLock(store);
    const before = ledger.readings;
    const heldSince = performance.now();
    let otherSeq = 1;
    let slowest = 1;
    while (performance.now() - heldSince < HOLD_MS) {
      const startedAt = performance.now();
      await accept(otherUrl, blockOf(otherDevice, otherSeq));
      // A lock is a fault once somebody waited too long for it.
      await expectReadsGoOn(url, devices[0]!.id, ['ok', 'storage_unavailable']);
      const tookMs = performance.now() - startedAt;
      if (tookMs > 500) slowest = Math.max(slowest, slowness());
      expect(tookMs, 'the other store and all reads go on at their pace').toBeLessThan(3_000 * slowest);
      otherSeq += 1;
      await delay(100);
    }
    const during = ledger.readings;
    await release();
    await expect.poll(() => ledger.readings, { timeout: 60_000 }).toBeGreaterThan(during + 20);
    ended.abort();
    const answers = (await Promise.all(loops)).flat();

    expect(during - before, 'the lock held nothing back').toBeLessThanOrEqual(devices.length);
    expect(answers.filter(({ status }) => status === 503).length).toBeGreaterThan(0);
    const tooLate = answers.filter(({ tookMs }) => tookMs > WAITS_MS + ANSWER_WITHIN_MS * slowest);
    expect(tooLate, 'a device gives up after 8 s').toEqual([]);
    expect(ledger.compareWith(store)).toEqual([]);
    await node.stop();
  },
);

test.concurrent('a node that starts while another process holds a store serves it, and writes once it is free', async () => {
  const first = await startNode();
  const device = await registeredDevice(first.url('local'));
  await first.stop();
  const release = await holdLock(storePath(first.dataDir, 'local'));
  const node = await startNode({ dataDir: first.dataDir });
  const url = node.url('local');
  await expectReadsGoOn(url, device.id, ['ok']);
  expectUnavailable(await post(`${url}/v1/telemetry`, { blocks: [blockOf(device, 1)] }));
  await release();
  await accept(url, blockOf(device, 1));
  await node.stop();
});
