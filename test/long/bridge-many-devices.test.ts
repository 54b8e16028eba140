import { afterEach, describe, expect, it } from 'vitest';
import { NO_NOTES } from '../../src/shared/owner-data/notes.ts';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { Broker, type BrokerOptions, hasMosquitto } from '../support/broker.ts';
import { postBlocks, registeredDevice } from '../support/client.ts';
import { NodeProcess, removeFolder, temporaryFolder } from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';

/** Far more than a quiet machine needs. */
const WAIT = { timeout: 60_000, interval: 50 };
const DEVICES = 300;
const ROUNDS = 6;
const TOPICS = ['state', 'availability', 'alerts'] as const;

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each();
});

/** A broker with its messages, a node that publishes there, and devices. */
async function start(count: number, options: BrokerOptions = {}) {
  const broker = await Broker.start(options);
  undo.push(() => broker.close());
  const watch = await broker.watch();
  const dataDir = temporaryFolder();
  undo.push(() => removeFolder(dataDir));
  const startProcess = async () => {
    const started = new NodeProcess({ args: ['--ui'], env: { MQTT_URL: broker.url }, dataDir });
    undo.push(() => started.dispose());
    return started.ready();
  };
  const node = await startProcess();
  const devices = await Promise.all(
    Array.from({ length: count }, (_, index) => registeredDevice(node.url('local'), { name: `Bench ${index}` })),
  );
  return { broker, watch, node, startProcess, devices };
}

/** Each device sends a reading, a hundred of them in a request. */
async function round(node: NodeProcess, devices: readonly SimulatedDevice[], seq: number): Promise<void> {
  const blocks = devices.map((device) => device.block({ seq, timestamp: Date.now(), plain: { ph: seq } }));
  for (let from = 0; from < blocks.length; from += 100) {
    expect((await postBlocks(node.url('local'), blocks.slice(from, from + 100))).status).toBe(200);
  }
}

describe.skipIf(!hasMosquitto)('many devices at a broker', () => {
  it('have at most a message for each reading, and one for all that came while the broker stopped reading', async () => {
    const { broker, watch, node, devices } = await start(DEVICES);
    const states = () => watch.messages.filter(({ topic }) => topic.endsWith('/state')).length;
    const newest = () => devices.filter(({ id }) => watch.json(`wellhouse/${id}/state`)?.ph === sent).length;
    let sent = 0;
    const rounds = async () => {
      for (let count = 0; count < ROUNDS; count += 1) {
        sent += 1;
        await round(node, devices, sent);
      }
    };
    await rounds();
    await expect.poll(newest, WAIT).toBe(DEVICES);
    // One more for each: that of a device that is registered and has not sent yet.
    expect(states()).toBeLessThanOrEqual(DEVICES * (ROUNDS + 1));
    const before = states();
    broker.freeze(true);
    await rounds();
    broker.freeze(false);
    await expect.poll(newest, WAIT).toBe(DEVICES);
    // The message under way when it stopped, the one that waited, and the last round if its event came just then.
    expect(states() - before).toBeLessThanOrEqual(3 * DEVICES);
    expect((await call(node, 'connections', {})).mqtt).toMatchObject({ state: 'connected', devices: DEVICES });
  });

  it('leave nothing behind where they were forgotten, hidden or left out while the broker did not read', async () => {
    const { broker, watch, node, devices } = await start(4);
    const [forgotten, hidden, leftOut, renamed] = devices as [
      SimulatedDevice,
      SimulatedDevice,
      SimulatedDevice,
      SimulatedDevice,
    ];
    await round(node, devices, 1);
    const all = devices.length * (TOPICS.length + 1) + 1;
    await expect.poll(() => watch.held.size, WAIT).toBe(all);
    broker.freeze(true);
    await round(node, devices, 2);
    await call(node, 'forgetDevice', { id: forgotten.id, store: 'private', confirm: forgotten.id });
    await call(node, 'setNotes', { id: hidden.id, notes: { ...NO_NOTES, isHidden: true } });
    await call(node, 'setOwnerChoices', { bridge: { leftOut: [leftOut.id] } });
    const displayName = '+/#\\ "{{ 1 }}" 🍅';
    await call(node, 'setNotes', { id: renamed.id, notes: { ...NO_NOTES, displayName } });
    broker.freeze(false);
    const config = `homeassistant/device/wellhouse_${renamed.id}/config`;
    const status = `wellhouse/${node.started.publicKey}/status`;
    const expected = [config, status, ...TOPICS.map((topic) => `wellhouse/${renamed.id}/${topic}`)].sort();
    await expect.poll(() => [...watch.held.keys()].sort(), WAIT).toEqual(expected);
    await expect.poll(() => watch.json(config)?.device, WAIT).toMatchObject({ name: displayName });
  });

  it('leave a broker that kept them where they were forgotten while it was away, and the node was killed since', async () => {
    const { broker, watch, node, startProcess, devices } = await start(2, { isPersistent: true });
    const [kept, forgotten] = devices as [SimulatedDevice, SimulatedDevice];
    await round(node, devices, 1);
    await expect.poll(() => watch.held.size, WAIT).toBe(devices.length * (TOPICS.length + 1) + 1);
    await broker.kill();
    await call(node, 'forgetDevice', { id: forgotten.id, store: 'private', confirm: forgotten.id });
    node.signal('SIGKILL');
    await node.exited;
    await broker.run();
    const again = await broker.watch();
    const ofForgotten = () => [...again.held.keys()].filter((topic) => topic.includes(forgotten.id));
    // It kept them, with nobody there who could have published them again.
    await expect.poll(ofForgotten, WAIT).toHaveLength(TOPICS.length + 1);
    const second = await startProcess();
    await expect.poll(() => again.held.get(`wellhouse/${second.started.publicKey}/status`), WAIT).toBe('online');
    await expect.poll(ofForgotten, WAIT).toEqual([]);
    await expect.poll(() => again.held.size, WAIT).toBe(TOPICS.length + 2);
    expect(again.json(`wellhouse/${kept.id}/state`)).toMatchObject({ ph: 1 });
  });
});
