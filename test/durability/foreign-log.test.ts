import { copyFileSync, cpSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { accept, registeredDevice } from '../support/client.ts';
import { ENDPOINTS, removeFolder, startProcess, temporaryFolder } from '../support/node-process.ts';
import { storePath } from '../support/store-file.ts';
import { nodeStarter } from './faults.ts';
import { Ledger } from './ledger.ts';
import { blockOf } from './load.ts';
import { expectRefused } from './refused-start.ts';

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));
// After the line above, since hooks run in reverse: the nodes end before their folders go.
const startNode = nodeStarter();

describe.each(ENDPOINTS)('the log (-wal) of the %s store beside a file that it does not belong to', (endpoint) => {
  const killed = join(folder, `killed-${endpoint}`);
  const backup = join(folder, `backup-${endpoint}.db`);
  const inBackup = new Ledger();
  const confirmed = new Ledger();

  /** A copy of the folder that the killed node left. */
  function copyOf(name: string): { dataDir: string; store: string } {
    const dataDir = join(folder, `${name}-${endpoint}`);
    cpSync(killed, dataDir, { recursive: true });
    // A start may fold the log of the other store, which is sound, before it refuses this one.
    rmSync(`${storePath(dataDir, endpoint === 'local' ? 'public' : 'local')}-wal`);
    return { dataDir, store: storePath(dataDir, endpoint) };
  }

  async function postTo(url: string, device: SimulatedDevice, from: number, to: number, ledgers: Ledger[]) {
    for (let seq = from; seq <= to; seq += 1) {
      await accept(url, blockOf(device, seq));
      for (const ledger of ledgers) ledger.confirmReading(device.id, seq);
    }
  }

  beforeAll(async () => {
    const first = await startNode({ dataDir: killed });
    const device = await registeredDevice(first.url(endpoint));
    await postTo(first.url(endpoint), device, 1, 20, [inBackup, confirmed]);
    await first.stop();
    copyFileSync(storePath(killed, endpoint), backup);
    const second = await startProcess({ dataDir: killed });
    await registeredDevice(second.url(endpoint));
    await postTo(second.url(endpoint), device, 21, 60, [confirmed]);
    await second.kill();
    expect(statSync(`${storePath(killed, endpoint)}-wal`).size).toBeGreaterThan(0);
  });

  test('a missing store is refused; after it is put back, all data is there', async () => {
    const { dataDir, store } = copyOf('missing');
    renameSync(store, join(folder, 'held'));
    expect(await expectRefused(dataDir, store)).toContain(`its log ${store}-wal`);
    renameSync(join(folder, 'held'), store);
    const node = await startNode({ dataDir });
    await node.stop();
    expect(confirmed.compareWith(store)).toEqual([]);
  });

  test('if all other files are missing too, the start is refused, and no identity or store is created', async () => {
    const { dataDir: from, store } = copyOf('held');
    const dataDir = join(folder, `alone-${endpoint}`);
    mkdirSync(dataDir);
    copyFileSync(`${store}-wal`, `${storePath(dataDir, endpoint)}-wal`);
    await expectRefused(dataDir, storePath(dataDir, endpoint));
    expect(readdirSync(dataDir).filter((name) => /identity|\.db$/.test(name))).toEqual([]);
    removeFolder(from);
  });

  test('an older copy of the store is refused; without the log it is accepted', async () => {
    const { dataDir, store } = copyOf('older');
    copyFileSync(backup, store);
    const line = await expectRefused(dataDir, store);
    expect(line).toContain(`the log ${store}-wal is not of the store`);
    for (const suffix of ['-wal', '-shm']) rmSync(store + suffix, { force: true });
    const node = await startNode({ dataDir });
    await node.stop();
    expect(inBackup.compareWith(store)).toEqual([]);
  });

  test('a newer copy of the store is refused', async () => {
    const { dataDir, store } = copyOf('newer');
    copyFileSync(`${store}-wal`, join(folder, 'log'));
    for (let start = 0; start < 2; start += 1) await (await startNode({ dataDir })).stop();
    copyFileSync(join(folder, 'log'), `${store}-wal`);
    expect(await expectRefused(dataDir, store)).toContain('is not of the store');
  });
});
