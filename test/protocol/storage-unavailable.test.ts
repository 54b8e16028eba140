import { execFileSync } from 'node:child_process';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { accept, handWritten, readingsOf, register, registeredDevice } from '../support/client.ts';
import { post, type Reply, send } from '../support/http.ts';
import {
  FILE_ENDPOINTS,
  isOverPostgres,
  removeFolder,
  runningNode,
  startNode,
  temporaryFolder,
} from '../support/node-process.ts';
import { storePath } from '../support/store-file.ts';

function expectUnavailable(reply: Reply): void {
  expect(reply.status, reply.text).toBe(503);
  expect(reply.json).toEqual({ error: 'storage_unavailable' });
  expect(String(reply.headers['retry-after'])).toMatch(/^[1-9][0-9]*$/);
}

describe.each(FILE_ENDPOINTS)('a store that is locked too long, %s endpoint', (endpoint) => {
  const node = runningNode();

  test('503 within a device’s 8 s, nothing confirmed, reads continue; afterwards everything resumes', async () => {
    const url = node.url(endpoint);
    const other = node.url(endpoint === 'public' ? 'local' : 'public');
    const device = await registeredDevice(url);
    const otherDevice = await registeredDevice(other);
    const stranger = new SimulatedDevice();
    const lock = new Database(storePath(node.process.dataDir, endpoint), { fileMustExist: true });
    try {
      lock.exec('BEGIN IMMEDIATE');
      // `send` gives up after the 8 s that the firmware waits, so an answer at all is an answer in time.
      const replies = await Promise.all([
        post(`${url}/v1/telemetry`, { blocks: [handWritten(device)] }),
        register(url, stranger.registration()),
        accept(other, handWritten(otherDevice)),
        readingsOf(url, device.id),
      ]);
      expectUnavailable(replies[0]);
      expectUnavailable(replies[1]);
      expect(replies[3]).toEqual([]);
      lock.exec('ROLLBACK');
    } finally {
      lock.close();
    }
    expect((await send(`${url}/v1/devices/${stranger.id}`)).status).toBe(404);
    expect((await register(url, stranger.registration())).status).toBe(201);
    await accept(url, handWritten(device));
    expect(await readingsOf(url, device.id)).toHaveLength(1);
  });
});

test.for(FILE_ENDPOINTS)('a forged block is reported as such by a %s store without writes', async (endpoint) => {
  const node = await startNode();
  try {
    const url = node.url(endpoint);
    const device = await registeredDevice(url);
    const forged = (seq: number) => ({ ...handWritten(device, { seq }), signature: 'ab'.repeat(64) });
    const lock = new Database(storePath(node.dataDir, endpoint), { fileMustExist: true });
    try {
      lock.exec('BEGIN IMMEDIATE');
      const before = performance.now();
      const answer = await post(`${url}/v1/telemetry`, { blocks: [forged(1), forged(2)] });
      const errors = ['1', '2'].map((seq) => ({ seq, error: `Invalid signature for device ${device.id}` }));
      expect([answer.status, answer.json]).toEqual([207, { accepted: 0, errors }]);
      // It did not wait for the store, which is given up after 4 s.
      expect(performance.now() - before).toBeLessThan(3_500);
      expectUnavailable(await post(`${url}/v1/telemetry`, { blocks: [forged(3), handWritten(device, { seq: 4 })] }));
    } finally {
      lock.close();
    }
    await accept(url, handWritten(device, { seq: 4 }));
    expect(await readingsOf(url, device.id)).toHaveLength(1);
  } finally {
    await node.dispose();
  }
});

/** A file system of 12 MiB, or null where this user may not mount one. */
function mountSmallDisk(): string | null {
  const folder = temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m,mode=700', 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    removeFolder(folder);
    return null;
  }
}

test.skipIf(isOverPostgres)(
  'the last 512 MiB of a disk are not for strangers: public 503, local as ever',
  async ({ skip }) => {
    const disk = mountSmallDisk();
    if (disk === null) return skip('mounting a small disk needs root on Linux');
    try {
      const node = await startNode({ dataDir: `${disk}/data` });
      try {
        expectUnavailable(await register(node.url('public'), new SimulatedDevice().registration()));
        const device = await registeredDevice(node.url('local'));
        await accept(node.url('local'), handWritten(device));
        expect(await readingsOf(node.url('local'), device.id)).toHaveLength(1);
      } finally {
        await node.dispose();
      }
    } finally {
      execFileSync('umount', [disk]);
      removeFolder(disk);
    }
  },
);
