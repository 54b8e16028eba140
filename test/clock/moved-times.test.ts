import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Node } from '../../src/main/node/node.ts';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { accept, deviceOf, handWritten, postBlocks, readingsOf, register } from '../support/client.ts';
import { ask, FakeMachine, publicUrlOf, startOn } from '../support/clocked-node.ts';
import { send } from '../support/http.ts';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';
import { storePath } from '../support/store-file.ts';

const WAIT = { timeout: 30_000, interval: 50 };
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A test on a busy machine takes no longer. */
const SLOW = 10 * 60_000;
/** A machine without a clock of its own starts in 1970. */
const in1970 = () => 60_000 - Date.now();

let dataDir: string;
let machine: FakeMachine;
let node: Node;
beforeEach(() => {
  dataDir = temporaryFolder();
  machine = new FakeMachine();
});
afterEach(async () => {
  await node.stop();
  removeFolder(dataDir);
});

const start = async () => {
  node = await startOn(machine, dataDir);
};
const local = () => node.urls.localUrl;
/** The error of each reading’s time, newest first, in whole hours. */
const errorsAt = async (url: string, device: SimulatedDevice) => {
  const readings = await readingsOf(url, device.id);
  return readings.map(({ receivedAt }) => Math.round((Number(receivedAt) - machine.time) / HOUR) * HOUR + 0);
};
const stateOf = async () => (await ask(node, 'nodeInfo', {})).clock.state;
const block = (device: SimulatedDevice, seq: number) =>
  handWritten(device, { seq, timestamp: Math.round(machine.time) + seq, json: { ph: { plain: 6 + seq / 10 } } });

async function registered(url: string, device: SimulatedDevice): Promise<void> {
  expect((await register(url, device.registration({ publishTo: 2 }))).status).toBe(201);
}

it('arrivals of 1970 and all derived data are moved in both stores once the time is known', async () => {
  machine.error = in1970();
  await start();
  const device = new SimulatedDevice();
  const stranger = new SimulatedDevice();
  for (const url of [local(), publicUrlOf(node)]) {
    await registered(url, device);
    await postBlocks(url, [block(device, 1), block(device, 2)]);
  }
  await postBlocks(local(), [block(stranger, 1)]);
  await expect.poll(async () => (await ask(node, 'overview', { dayStart: 0 })).unregistered, WAIT).toHaveLength(1);
  expect(new Date(Number((await readingsOf(local(), device.id))[0]!.receivedAt)).getUTCFullYear()).toBe(1970);
  expect(await stateOf()).toBe('unset');

  machine.error = 0;
  for (const url of [local(), publicUrlOf(node)]) {
    await expect.poll(() => errorsAt(url, device), WAIT).toEqual([0, 0]);
    expect((await readingsOf(url, device.id)).map(({ seq }) => seq)).toEqual([2n, 1n]);
    await expect
      .poll(async () => {
        const { createdAt } = deviceOf(await send(`${url}/v1/devices/${device.id}`));
        return Math.abs(createdAt - machine.time) < SLOW;
      }, WAIT)
      .toBe(true);
    await accept(url, block(device, 3));
    expect(await errorsAt(url, device)).toEqual([0, 0, 0]);
  }
  const overview = await ask(node, 'overview', { dayStart: Math.round(machine.time) - HOUR });
  const near = (time: number) => Math.abs(time - machine.time) < SLOW;
  expect(near(overview.now)).toBe(true);
  expect(near(overview.devices[0]!.lastReceivedAt!)).toBe(true);
  expect(overview.unregistered.map(({ firstAt, lastAt }) => [near(firstAt), near(lastAt)])).toEqual([[true, true]]);
  await expect
    .poll(
      async () => (await ask(node, 'overview', { dayStart: Math.round(machine.time) - HOUR })).totals.readingsToday,
      WAIT,
    )
    .toBe(3);
  const { timesMoved, withheld } = await ask(node, 'device', { id: device.id });
  expect(timesMoved).toEqual([{ at: expect.any(Number), by: expect.any(Number), readings: 2 }]);
  expect(near(timesMoved[0]!.at)).toBe(true);
  expect(withheld.every(({ firstAt, lastAt }) => near(firstAt) && near(lastAt))).toBe(true);
  expect(await stateOf()).toBe('unsure');
});

it('sums by arrival of summed hours, and retention’s limits, are moved too', async () => {
  machine.error = in1970();
  await start();
  const device = new SimulatedDevice();
  await registered(local(), device);
  // A device without a clock: it is placed by arrival.
  const blocks = Array.from({ length: 30 }, (_, index) =>
    handWritten(device, { seq: index + 1, timestamp: index * 60_000, json: { ph: { plain: 6 } } }),
  );
  await postBlocks(local(), blocks);
  const span = { id: device.id, from: null, to: null, maxPoints: 100 };
  expect((await ask(node, 'device', { id: device.id })).clockNotSet).toBe(true);
  await ask(node, 'history', span);
  machine.error = 0;
  await expect
    .poll(async () => {
      const { span: times } = await ask(node, 'device', { id: device.id });
      return Math.abs(times!.from - machine.time) < SLOW;
    }, WAIT)
    .toBe(true);
  const db = new Database(storePath(dataDir, 'local'), { readonly: true });
  const bounds = 'SELECT min(received_max) FROM hourly_rollups UNION SELECT min(received_at) FROM readings';
  for (const time of db.prepare(bounds).pluck().all() as (number | null)[]) {
    if (time !== null) expect(machine.time - time).toBeLessThan(SLOW);
  }
  db.close();
});

it('a store that accepted no writes meanwhile is moved once by the next process of the same boot', async () => {
  machine.error = -6 * HOUR;
  await start();
  const device = new SimulatedDevice();
  await registered(local(), device);
  await postBlocks(local(), [block(device, 1), block(device, 2)]);
  expect(await errorsAt(local(), device)).toEqual([-6 * HOUR, -6 * HOUR]);
  const lock = new Database(storePath(dataDir, 'local'), { fileMustExist: true });
  lock.exec('BEGIN IMMEDIATE');
  machine.error = 0;
  // The two clocks of the test's machine differ by a millisecond now and then.
  const steppedBy = async () => Math.round(((await ask(node, 'nodeInfo', {})).clock.lastStep?.by ?? 0) / 1000);
  await expect.poll(steppedBy, WAIT).toBe((6 * HOUR) / 1000);
  expect(await errorsAt(local(), device)).toEqual([-6 * HOUR, -6 * HOUR]);
  await node.stop();
  lock.exec('ROLLBACK');
  lock.close();
  for (let round = 0; round < 2; round += 1) {
    await start();
    await expect.poll(() => errorsAt(local(), device), WAIT).toEqual([0, 0]);
    expect((await ask(node, 'device', { id: device.id })).timesMoved).toMatchObject([{ by: 6 * HOUR, readings: 2 }]);
    await node.stop();
  }
  await start();
});

it('a known clock that goes a year ahead for a minute causes no wrong date', async () => {
  await start();
  const device = new SimulatedDevice();
  await registered(local(), device);
  machine.pass(2 * HOUR);
  await expect.poll(stateOf, WAIT).toBe('known');
  machine.error = 365 * DAY;
  await accept(local(), block(device, 1));
  expect(await stateOf()).toBe('held');
  expect(await errorsAt(local(), device)).toEqual([0]);
  machine.pass(60_000);
  await accept(local(), block(device, 2));
  machine.error = 0;
  await accept(local(), block(device, 3));
  expect(await errorsAt(local(), device)).toEqual([0, 0, 0]);
  await expect.poll(stateOf, WAIT).toBe('known');
  expect((await ask(node, 'device', { id: device.id })).timesMoved).toEqual([]);
});

it('a start behind the known time continues from that time', async () => {
  await start();
  const device = new SimulatedDevice();
  await registered(local(), device);
  machine.pass(2 * HOUR);
  await expect.poll(stateOf, WAIT).toBe('known');
  await accept(local(), block(device, 1));
  await node.stop();
  machine.pass(HOUR);
  machine.reboot(in1970() - 3 * HOUR);
  await start();
  expect(await stateOf()).toBe('unset');
  await accept(local(), block(device, 2));
  // It can't know how long it was off.
  expect(await errorsAt(local(), device)).toEqual([-HOUR, -HOUR]);
  machine.error = 0;
  await expect.poll(() => errorsAt(local(), device), WAIT).toEqual([0, -HOUR]);
});
