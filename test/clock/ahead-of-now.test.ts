import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Node } from '../../src/main/node/node.ts';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { handWritten, postBlocks, register } from '../support/client.ts';
import { ask, FakeMachine, startOn } from '../support/clocked-node.ts';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';

const WAIT = { timeout: 30_000, interval: 50 };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** A test on a busy machine takes no longer. */
const SLOW = 10 * MINUTE;
const YEAR = 365 * 24 * HOUR;

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
const silent = async () =>
  (await ask(node, 'alerts', {})).alerts.filter(({ kind, state }) => kind === 'silent' && state === 'firing');

/** A device that posts once a minute, with a clock of its own that is right; `ph` is the number of the reading. */
async function post(device: SimulatedDevice, seq: number, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    machine.pass(MINUTE);
    const block = handWritten(device, {
      seq: seq + index,
      timestamp: Math.round(machine.time),
      json: { ph: { plain: seq + index } },
    });
    expect(await postBlocks(node.urls.localUrl, [block])).toMatchObject({ accepted: 1 });
  }
}

const summary = async () => (await ask(node, 'overview', { dayStart: 0 })).devices[0]!;

it('silence is noticed after a clock that was a year ahead until a restart', async () => {
  machine.error = YEAR;
  await start();
  const device = new SimulatedDevice();
  expect((await register(node.urls.localUrl, device.registration())).status).toBe(201);
  await post(device, 1, 5);
  await node.stop();

  machine.reboot(0);
  await start();
  // All that is known of it lies ahead of now.
  expect((await summary()).lastReceivedAt).toBeNull();
  await post(device, 6, 5);
  const { lastReceivedAt, newest } = await summary();
  expect(machine.time - lastReceivedAt!).toBeLessThan(SLOW);
  expect(newest.ph).toMatchObject({ value: 10, seq: '10' });
  machine.pass(HOUR);
  const now = machine.time;
  await expect.poll(silent, WAIT).toHaveLength(1);
  const [alert] = await silent();
  expect(Math.abs(now - HOUR - alert!.since)).toBeLessThan(SLOW);
});

it('a node that knew a time a year ahead notices silence after a restart, of a device that sent nothing since', async () => {
  machine.error = YEAR;
  await start();
  const device = new SimulatedDevice();
  expect((await register(node.urls.localUrl, device.registration())).status).toBe(201);
  await post(device, 1, 5);
  await node.stop();
  machine.reboot(0);
  await start();
  machine.pass(HOUR);
  await expect.poll(silent, WAIT).toHaveLength(1);
  const [alert] = await silent();
  expect(alert!.since).toBeLessThanOrEqual(machine.time);
});

it('with a clock six hours behind, the newest value stays the newest', async () => {
  await start();
  const device = new SimulatedDevice();
  expect((await register(node.urls.localUrl, device.registration())).status).toBe(201);
  await post(device, 1, 10);
  machine.reboot(-6 * HOUR);
  for (const seq of [11, 14, 30]) {
    await node.stop();
    await start();
    await post(device, seq, 3);
    expect((await summary()).newest.ph).toMatchObject({ seq: String(seq + 2) });
  }
});

it('an alert that fired with a wrong clock gets its right time once that is known', async () => {
  machine.error = MINUTE - machine.time;
  await start();
  const device = new SimulatedDevice();
  expect((await register(node.urls.localUrl, device.registration())).status).toBe(201);
  await post(device, 1, 5);
  const heardAt = machine.time;
  machine.pass(HOUR);
  await expect.poll(silent, WAIT).toHaveLength(1);
  expect(new Date((await silent())[0]!.since).getUTCFullYear()).toBe(1970);
  machine.error = 0;
  await expect
    .poll(async () => {
      const [alert] = await silent();
      return (
        alert !== undefined && Math.abs(alert.since - heardAt) < SLOW && Math.abs(alert.firedAt! - machine.time) < HOUR
      );
    }, WAIT)
    .toBe(true);
});
