import { existsSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { processStarter } from '../durability/faults.ts';
import { Ledger } from '../durability/ledger.ts';
import { blockOf } from '../durability/load.ts';
import { accept, readingsOf, registeredDevice } from '../support/client.ts';
import { ENDPOINTS, removeFolder, runProcessToEnd, temporaryFolder } from '../support/node-process.ts';
import { storePath } from '../support/store-file.ts';

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));
// After the line above, since hooks run in reverse: the nodes end before their folders go.
const startNode = processStarter();

describe.each(ENDPOINTS)('the log (-wal) of the %s store is deleted while the node is down', (endpoint) => {
  test('after a clean stop: everything is in the store itself', async () => {
    const dataDir = join(folder, `stopped-${endpoint}`);
    const first = await startNode({ dataDir });
    const ledger = new Ledger();
    const device = await registeredDevice(first.url(endpoint));
    for (const seq of [1, 2, 3]) {
      await accept(first.url(endpoint), blockOf(device, seq));
      ledger.confirmReading(device.id, seq);
    }
    await first.stop();
    const store = storePath(dataDir, endpoint);
    for (const suffix of ['-wal', '-shm']) rmSync(store + suffix, { force: true });
    const node = await startNode({ dataDir });
    expect(ledger.compareWith(store)).toEqual([]);
    await accept(node.url(endpoint), blockOf(device, 4));
    await node.stop();
  });

  /**
   * Readings that were only in the log are gone with it, and nobody can know; the rest is valid, and the node works on
   * it.
   */
  test.for([
    ['deleted', (wal: string) => rmSync(wal)],
    ['emptied', (wal: string) => writeFileSync(wal, '')],
    ['overwritten', (wal: string) => writeFileSync(wal, Buffer.alloc(statSync(wal).size, 0xa5))],
    ['cut in the middle', (wal: string) => truncateTo(wal, 0.5)],
  ] as const)('after a kill, %s: the node starts on a whole store, or refuses clearly', async ([how, spoil]) => {
    const dataDir = join(folder, `killed-${endpoint}-${how.replaceAll(' ', '-')}`);
    const first = await startNode({ dataDir });
    const device = await registeredDevice(first.url(endpoint));
    await first.stop();
    const second = await startNode({ dataDir });
    const ledger = new Ledger();
    for (let seq = 1; seq <= 60; seq += 1) await accept(second.url(endpoint), blockOf(device, seq));
    ledger.confirmDevice(device.id);
    await second.kill();
    const store = storePath(dataDir, endpoint);
    expect(existsSync(`${store}-wal`)).toBe(true);
    spoil(`${store}-wal`);

    const third = await startNode({ dataDir }).catch(() => null);
    if (third === null) {
      const { code, stderr } = await runProcessToEnd({ dataDir });
      expect(stderr).toMatch(/^wellhouse: [^\n]+\n$/);
      expect(code).toBe(1);
      return;
    }
    expect(ledger.compareWith(store)).toEqual([]);
    const kept = await readingsOf(third.url(endpoint), device.id);
    // Commits are lost from the newest on, never out of the middle.
    const seqs = kept.map(({ seq }) => Number(seq)).sort((a, b) => a - b);
    expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, index) => index + 1));
    for (const seq of [1, 30, 61]) await accept(third.url(endpoint), blockOf(device, seq));
    await third.stop();
    expect(ledger.compareWith(store)).toEqual([]);
  });
});

function truncateTo(path: string, part: number): void {
  truncateSync(path, Math.floor(statSync(path).size * part));
}
