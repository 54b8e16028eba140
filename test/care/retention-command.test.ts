import { afterAll, beforeAll, expect, it } from 'vitest';
import { registeredDevice } from '../support/client.ts';
import { type RunningNode, removeFolder, startNode, temporaryFolder } from '../support/node-process.ts';
import { writeOldReadings } from '../support/old-readings.ts';
import { call } from '../support/owner-client.ts';
import { queryStore } from '../support/store-file.ts';
import { answerOf, wellhouse } from '../support/wellhouse.ts';

const HOUR = 3_600_000;
const READINGS = 20_000;
const dataDir = temporaryFolder();
let node: RunningNode;
let id: string;

interface Answer {
  readonly rules: { readonly private: unknown; readonly devices: readonly unknown[] };
  readonly preview: { readonly stores: readonly { readonly readings: number }[] };
  readonly deleted: number | null;
}
const stored = () => Number(queryStore(dataDir, 'local', 'SELECT count(*) AS count FROM readings')[0]!.count);
const retention = (...args: string[]) => answerOf<Answer>(dataDir, ['retention', ...args]);

beforeAll(async () => {
  node = await startNode({ dataDir });
  ({ id } = await registeredDevice(node.url('local')));
  await node.stop();
  writeOldReadings(dataDir, id, { count: READINGS, first: Date.now() - READINGS * HOUR, stepMs: HOUR });
});
afterAll(async () => {
  await node.dispose();
  removeFolder(dataDir);
});

it('shows what rules would delete, and deletes it with --yes, without a running node', async () => {
  const shown = await retention('--private', '24');
  expect(shown.preview.stores[0]!.readings).toBeGreaterThan(1000);
  expect(stored()).toBe(READINGS);
  expect((await retention()).rules.private).toBeNull();
  const done = await retention('--private', '24', '--yes');
  expect(done.deleted).toBe(shown.preview.stores[0]!.readings);
  expect(stored()).toBe(READINGS - done.deleted!);
  expect((await retention()).rules.private).toEqual({ count: 24, unit: 'months' });
});

it('uses a running node', async () => {
  node = await startNode({ dataDir, args: ['--ui'] });
  const before = stored();
  const { preview, deleted } = await retention('--private', '12', '--device', `${id}=80w`, '--yes');
  expect(deleted).toBeNull();
  await expect.poll(stored, { timeout: 60_000 }).toBe(before - preview.stores[0]!.readings);
  expect(await call(node, 'retention', {})).toMatchObject({
    private: { count: 12, unit: 'months' },
    devices: [{ id, kept: { count: 80, unit: 'weeks' } }],
  });
  expect((await retention('--device', `${id}=none`)).rules.devices).toEqual([]);
});

it('counts and deletes readings whose sums are still to be made, as after an import', async () => {
  const other = temporaryFolder();
  const fresh = await startNode({ dataDir: other });
  const device = await registeredDevice(fresh.url('local'));
  await fresh.stop();
  const count = 10_000;
  writeOldReadings(other, device.id, { count, first: Date.now() - count * HOUR, stepMs: HOUR }, false);
  const { preview, deleted } = await answerOf<Answer>(other, ['retention', '--private', '12', '--yes']);
  expect(preview.stores[0]!.readings).toBeGreaterThan(1000);
  expect(deleted).toBe(preview.stores[0]!.readings);
  expect(Number(queryStore(other, 'local', 'SELECT count(*) AS count FROM readings')[0]!.count)).toBe(count - deleted!);
  await fresh.dispose();
  removeFolder(other);
});

it('refuses invalid times', async () => {
  for (const flag of [
    ['--private', '0'],
    ['--private', '0d'],
    ['--private', '12h'],
    ['--private', '8000d'],
    ['--public', 'soon'],
    ['--device', 'abc'],
    ['--device', `${'ab'.repeat(32)}=soon`],
  ]) {
    const { code, stderr } = await wellhouse(dataDir, ['retention', ...flag]);
    expect([code, stderr.includes(flag[0]!)]).toEqual([2, true]);
  }
  const { code, stderr } = await wellhouse(dataDir, ['retention', '--device', 'Nobody=3d']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('no device has the name Nobody')]);
});
