import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NO_RETENTION } from '../../src/shared/owner-api/retention.ts';
import { accept, registeredDevice } from '../support/client.ts';
import { startNode } from '../support/node-process.ts';
import { writeOldReadings } from '../support/old-readings.ts';
import { call, sendCall } from '../support/owner-client.ts';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { queryStore } from '../support/store-file.ts';

const STEP = 1_800_000;
const READINGS = 30_000;

const disks = [mountSmallDisk(40)];
describe.skipIf(disks[0] === null)('a disk that is full (skipped where this user may not mount a small one)', () => {
  const disk = disks[0] as SmallDisk;

  test('stops retention and compacting without a loss; both continue when there is space', async () => {
    const dataDir = join(disk.folder, 'data');
    const stored = () => Number(queryStore(dataDir, 'local', 'SELECT count(*) AS count FROM readings')[0]!.count);
    let node = await startNode({ dataDir, args: ['--ui'] });
    try {
      const device = await registeredDevice(node.url('local'));
      await node.stop();
      writeOldReadings(dataDir, device.id, { count: READINGS, first: Date.now() - READINGS * STEP, stepMs: STEP });
      node = await startNode({ dataDir, args: ['--ui'] });
      const rules = { ...NO_RETENTION, private: { count: 12, unit: 'months' } } as const;
      const due = (await call(node, 'previewRetention', rules)).stores[0]!.readings;
      expect(due).toBeGreaterThan(5000);

      disk.fill();
      expect((await sendCall(node, 'setRetention', JSON.stringify(rules))).json).toMatchObject({ ok: false });
      expect((await sendCall(node, 'compactStore', JSON.stringify({ store: 'private' }))).json).toMatchObject({
        ok: false,
        error: 'conflict',
        details: expect.stringContaining('compacting needs'),
      });
      expect(stored()).toBe(READINGS);
      expect(await call(node, 'retention', {})).toEqual(NO_RETENTION);

      disk.free();
      await call(node, 'setRetention', rules);
      const finished = async () => (await call(node, 'careState', {})).lastDeletion?.readings;
      await expect.poll(finished, { timeout: 60_000 }).toBe(due);
      expect(stored()).toBe(READINGS - due);
      const { before, after } = await call(node, 'compactStore', { store: 'private' });
      expect(after).toBeLessThan(before);
      await accept(node.url('local'), device.block({ seq: 1_000_000, timestamp: Date.now(), plain: { ph: 6 } }));
    } finally {
      await node.dispose();
      disk.remove();
    }
  });
});
