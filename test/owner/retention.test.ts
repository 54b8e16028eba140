import { statSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keptSince, NO_RETENTION } from '../../src/shared/owner-api/retention.ts';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { accept, registeredDevice } from '../support/client.ts';
import { type NodeProcess, removeFolder, startProcess, temporaryFolder } from '../support/node-process.ts';
import { writeOldReadings } from '../support/old-readings.ts';
import { call, sendCall } from '../support/owner-client.ts';
import { queryStore, storePath } from '../support/store-file.ts';

const DAY = 86_400_000;
const STEP = 1_800_000;
/** A year and a half, with a reading each half hour. */
const STEPS = 26_300;
const FIRST = Math.floor((Date.now() - STEPS * STEP) / DAY) * DAY;
const LONG_KEPT = { count: 6, unit: 'months' } as const;
const SHORT_KEPT = { count: 3, unit: 'months' } as const;
const ENDS = [LONG_KEPT, SHORT_KEPT].map((span) => keptSince(Date.now(), span));
/** Whole hours are deleted. Around the first that is kept there is nothing to delete: the hour may end during a test. */
const isGap = (time: number) => ENDS.some((end) => Math.abs(time - end) < DAY);
const READINGS = Array.from({ length: STEPS }, (_, place) => FIRST + place * STEP).filter(
  (time) => !isGap(time),
).length;
const dataDir = temporaryFolder();
const start = () => startProcess({ dataDir, args: ['--ui'] });
let device: SimulatedDevice;
let node: NodeProcess;

beforeAll(async () => {
  node = await start();
  device = await registeredDevice(node.url('local'));
  await node.stop();
  writeOldReadings(dataDir, device.id, { count: STEPS, first: FIRST, stepMs: STEP, isGap });
  node = await start();
});
afterAll(async () => {
  await node.dispose();
  removeFolder(dataDir);
});

const stored = () => Number(queryStore(dataDir, 'local', 'SELECT count(*) AS count FROM readings')[0]!.count);
const daily = async () => {
  const { times, fields } = await call(node, 'history', {
    id: device.id,
    from: null,
    to: FIRST + 100 * DAY - 1,
    maxPoints: 100,
  });
  return { times, ph: fields.ph };
};

it('previews what would be deleted, deletes it in steps, and keeps the sums for charts', async () => {
  const before = await daily();
  expect(before.times).toHaveLength(100);
  const rules = { ...NO_RETENTION, private: LONG_KEPT };
  const [preview] = (await call(node, 'previewRetention', rules)).stores;
  expect(preview).toMatchObject({ store: 'private', devices: [{ id: device.id, readings: preview!.readings }] });
  expect(preview!.readings).toBeGreaterThan(16_700);
  expect(preview!.readings).toBeLessThan(18_600);
  expect(stored()).toBe(READINGS);
  expect(await call(node, 'retention', {})).toEqual(NO_RETENTION);

  await call(node, 'setRetention', rules);
  const finished = async () => (await call(node, 'careState', {})).lastDeletion?.readings;
  await expect.poll(finished, { timeout: 60_000 }).toBe(preview!.readings);
  expect(stored()).toBe(READINGS - preview!.readings);
  expect(await call(node, 'retention', {})).toEqual(rules);
  expect(await daily()).toEqual(before);
  const { readings, space } = {
    ...(await call(node, 'device', { id: device.id })),
    space: await call(node, 'space', {}),
  };
  expect(readings[0]!.count).toBe(READINGS - preview!.readings);
  expect(space.stores[0]!.devices).toEqual([{ id: device.id, readings: READINGS - preview!.readings }]);
  const [again] = (await call(node, 'previewRetention', rules)).stores;
  expect(again).toMatchObject({ readings: 0, devices: [] });
});

it('releases unused space on request, and accepts readings afterwards', async () => {
  const [{ unusedBytes } = { unusedBytes: 0 }] = (await call(node, 'space', {})).stores;
  expect(unusedBytes).toBeGreaterThan(1_000_000);
  const { before, after } = await call(node, 'compactStore', { store: 'private' });
  expect(before - after).toBeGreaterThan(unusedBytes * 0.8);
  expect(statSync(storePath(dataDir, 'local')).size).toBe(after);
  expect((await call(node, 'space', {})).stores[0]!.unusedBytes).toBe(0);
  await accept(node.url('local'), device.block({ seq: 1_000_000, timestamp: Date.now(), plain: { ph: 6 } }));
});

it('refuses to compact a missing store', async () => {
  expect((await sendCall(node, 'compactStore', JSON.stringify({ store: 'nonsense' }))).status).toBe(400);
});

it('continues after a kill', async () => {
  const before = await daily();
  await call(node, 'setRetention', { ...NO_RETENTION, private: SHORT_KEPT });
  const left = stored();
  await expect.poll(stored, { timeout: 60_000, interval: 5 }).toBeLessThan(left);
  await node.kill();
  const [{ mixed } = { mixed: 1n }] = queryStore(
    dataDir,
    'local',
    `SELECT count(*) AS mixed FROM readings r JOIN retained_hours h ON h.device = r.device AND h.hour = r.timestamp / 3600000`,
  );
  expect(mixed).toBe(0n);
  node = await start();
  expect(await daily()).toEqual(before);
  const [preview] = (await call(node, 'previewRetention', await call(node, 'retention', {}))).stores;
  await call(node, 'setRetention', await call(node, 'retention', {}));
  await expect
    .poll(async () => (await call(node, 'careState', {})).lastDeletion?.readings, { timeout: 60_000 })
    .toBe(preview!.readings);
  expect(await daily()).toEqual(before);
});
