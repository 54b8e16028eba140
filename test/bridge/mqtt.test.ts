import { once } from 'node:events';
import { type AddressInfo, createConnection } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createWebSocketStream, WebSocketServer } from 'ws';
import { NO_NOTES } from '../../src/shared/owner-data/notes.ts';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { Broker, type BrokerOptions, type BrokerWatch, hasMosquitto } from '../support/broker.ts';
import { postBlocks, registeredDevice } from '../support/client.ts';
import {
  type NodeOptions,
  type RunningNode,
  removeFolder,
  startNode,
  startProcess,
  temporaryFolder,
} from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';

/** Far more than a quiet machine needs. */
const WAIT = { timeout: 60_000, interval: 20 };

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each();
});

async function startBroker(options?: BrokerOptions): Promise<Broker> {
  const broker = await Broker.start(options);
  undo.push(() => broker.close());
  return broker;
}

async function begin<N extends RunningNode>(
  startAs: (options: NodeOptions) => Promise<N>,
  env: Record<string, string>,
  dataDir?: string,
): Promise<N> {
  const node = await startAs({ args: ['--ui'], env, ...(dataDir !== undefined && { dataDir }) });
  undo.push(() => node.dispose());
  return node;
}

function folder(): string {
  const path = temporaryFolder();
  undo.push(() => removeFolder(path));
  return path;
}

let seq = 0;
const post = (node: RunningNode, device: SimulatedDevice, fields: object) => {
  seq += 1;
  return postBlocks(node.url('local'), [device.block({ seq, timestamp: Date.now(), ...fields })]);
};
const configOf = (watch: BrokerWatch, device: SimulatedDevice) =>
  watch.json(`homeassistant/device/wellhouse_${device.id}/config`) as
    | { components: Record<string, Record<string, unknown>>; device: { name: string } }
    | undefined;
const keysOf = (watch: BrokerWatch, device: SimulatedDevice) => Object.keys(configOf(watch, device)?.components ?? {});
const stateOf = (watch: BrokerWatch, device: SimulatedDevice) => watch.json(`wellhouse/${device.id}/state`);
const of = (watch: BrokerWatch, text: string) => [...watch.held.keys()].filter((topic) => topic.includes(text));

describe.skipIf(!hasMosquitto)('a node with a broker', () => {
  it('publishes devices with their newest values, and removes deleted, hidden and excluded ones', async () => {
    const broker = await startBroker();
    const watch = await broker.watch();
    const node = await begin(startNode, { MQTT_URL: broker.url });
    const [tank, shed] = [
      await registeredDevice(node.url('local'), { name: 'Tank +/# "1" 🍅' }),
      await registeredDevice(node.url('local'), { name: 'Shed' }),
    ];
    await post(node, tank, { plain: { ph: 6.1, ec: 1000, waterLevel: 225 } });
    await post(node, shed, { plain: { tempAmbient: 21.5 } });
    await expect
      .poll(() => stateOf(watch, tank), WAIT)
      .toMatchObject({ ph: 6.1, ec: 2, water_distance: 225, sealed: [] });
    await expect.poll(() => keysOf(watch, tank), WAIT).toContain('last_seen');
    expect(configOf(watch, tank)?.device.name).toBe('Tank +/# "1" 🍅');
    await expect.poll(() => watch.held.get(`wellhouse/${tank.id}/availability`), WAIT).toBe('online');
    await expect.poll(() => watch.held.get(`wellhouse/${node.started.publicKey}/status`), WAIT).toBe('online');

    const notes = { ...NO_NOTES, displayName: 'Big tank', units: { waterLevel: { tank: { empty: 400, full: 50 } } } };
    await call(node, 'setNotes', { id: tank.id, notes });
    await expect.poll(() => keysOf(watch, tank), WAIT).toContain('water_level');
    await expect.poll(() => keysOf(watch, tank), WAIT).not.toContain('water_distance');
    expect(configOf(watch, tank)?.device.name).toBe('Big tank');
    await expect.poll(() => stateOf(watch, tank), WAIT).toMatchObject({ water_level: 50 });
    // The entity that went was dropped by its platform alone, before it was left out.
    const configs = watch.messages.filter(
      ({ topic, payload }) => topic.includes(tank.id) && payload.includes('"water_distance":{"platform":"sensor"}'),
    );
    expect(configs).toHaveLength(1);

    await call(node, 'setOwnerChoices', { bridge: { leftOut: [shed.id] } });
    await expect.poll(() => of(watch, shed.id), WAIT).toEqual([]);
    await post(node, shed, { plain: { tempAmbient: 22 } });
    await call(node, 'setOwnerChoices', { bridge: { leftOut: [] } });
    await expect.poll(() => of(watch, shed.id).length, WAIT).toBe(4);
    await call(node, 'setNotes', { id: shed.id, notes: { ...NO_NOTES, isHidden: true } });
    await expect.poll(() => of(watch, shed.id), WAIT).toEqual([]);
    await call(node, 'forgetDevice', { id: tank.id, store: 'private', confirm: tank.id });
    await expect.poll(() => of(watch, tank.id), WAIT).toEqual([]);
    await node.stop();
    const status = [[`wellhouse/${node.started.publicKey}/status`, 'offline']];
    await expect.poll(() => [...watch.held], WAIT).toEqual(status);
  });

  it('never publishes a sealed value, and marks its entity as sealed', async () => {
    const broker = await startBroker();
    const watch = await broker.watch();
    const dataDir = folder();
    const node = await begin(startNode, { MQTT_URL: broker.url }, dataDir);
    const device = await registeredDevice(node.url('local'));
    await post(node, device, { plain: { ph: 6.25, humidity: 55 } });
    await expect.poll(() => stateOf(watch, device), WAIT).toMatchObject({ ph: 6.25 });
    const sealed = { nonce: '0b'.repeat(12), cipher: 'c5'.repeat(24) };
    await post(node, device, { keyVersion: 1, plain: { humidity: 56 }, sealed: { ph: sealed } });
    await expect.poll(() => stateOf(watch, device), WAIT).toMatchObject({ ph: null, humidity: 56, sealed: ['ph'] });
    expect(JSON.stringify(configOf(watch, device)!.components.ph!.availability)).toContain("'ph' in value_json.sealed");
    const all = watch.messages.map(({ payload }) => payload).join('\n');
    for (const text of ['c5c5c5', '0b0b0b', 'xcXFxcXF', 'CwsLCwsL']) expect(all).not.toContain(text);
    // After a restart the value from before it was sealed is not shown again either.
    await node.stop();
    const before = watch.messages.length;
    await begin(startNode, { MQTT_URL: broker.url }, dataDir);
    await expect
      .poll(() => watch.messages.slice(before).some(({ topic }) => topic.endsWith('/state')), WAIT)
      .toBe(true);
    expect(stateOf(watch, device)).toMatchObject({ ph: null, humidity: 56, sealed: ['ph'] });
  });

  it('publishes everything again after the broker lost all, after a restart of Home Assistant, and of the node', async () => {
    const broker = await startBroker();
    const dataDir = folder();
    const env = { MQTT_URL: broker.url };
    const node = await begin(startProcess, env, dataDir);
    const device = await registeredDevice(node.url('local'));
    await post(node, device, { plain: { ph: 6 } });
    let watch = await broker.watch();
    await expect.poll(() => of(watch, device.id).length, WAIT).toBe(4);
    await broker.kill();
    await post(node, device, { plain: { ph: 6.5 } });
    await broker.run();
    watch = await broker.watch();
    await expect.poll(() => of(watch, device.id).length, WAIT).toBe(4);
    expect(stateOf(watch, device)).toMatchObject({ ph: 6.5 });
    const before = watch.messages.length;
    await watch.publish('homeassistant/status', 'online');
    await expect
      .poll(() => new Set(watch.messages.slice(before).map(({ topic }) => topic)).size, WAIT)
      .toBeGreaterThanOrEqual(6);
    await node.kill();
    await expect.poll(() => of(watch, 'status').map((topic) => watch.held.get(topic)), WAIT).toContain('offline');
    const second = await begin(startNode, env, dataDir);
    const status = `wellhouse/${second.started.publicKey}/status`;
    await expect.poll(() => watch.held.get(status), WAIT).toBe('online');
    expect(stateOf(watch, device)).toMatchObject({ ph: 6.5 });
  });

  it('clears messages of an earlier run, and none of another node', async () => {
    const broker = await startBroker();
    const watch = await broker.watch();
    const dataDir = folder();
    const first = await begin(startProcess, { MQTT_URL: broker.url, MQTT_PREFIX: 'old/one' }, dataDir);
    const device = await registeredDevice(first.url('local'));
    await post(first, device, { plain: { ph: 6 } });
    await expect.poll(() => of(watch, device.id).length, WAIT).toBe(4);
    await first.kill();
    const [theirs, node] = ['ab'.repeat(32), 'cd'.repeat(32)];
    const other = { node, availability: [{ topic: `wellhouse/${node}/status` }], components: {} };
    await watch.publish(`homeassistant/device/wellhouse_${theirs}/config`, JSON.stringify(other), true);
    await watch.publish(`wellhouse/${theirs}/state`, JSON.stringify(other), true);
    await watch.publish(`wellhouse/${theirs}/availability`, 'online', true);
    const odd = 'homeassistant/device/wellhouse_ff/config';
    await watch.publish(odd, '[[[', true);
    const second = await begin(startNode, { MQTT_URL: broker.url }, dataDir);
    await expect.poll(() => watch.held.get(`wellhouse/${second.started.publicKey}/status`), WAIT).toBe('online');
    await expect.poll(() => of(watch, 'old/one/'), WAIT).toEqual([]);
    expect(of(watch, theirs)).toHaveLength(3);
    expect(watch.held.has(odd)).toBe(true);
    expect(of(watch, device.id)).toHaveLength(4);
  });

  it('moves to other topics while it runs, and leaves none when it is turned off', async () => {
    const broker = await startBroker();
    const watch = await broker.watch();
    const node = await begin(startNode, {});
    const device = await registeredDevice(node.url('local'));
    await post(node, device, { plain: { ph: 6 } });
    expect((await call(node, 'connections', {})).mqtt.state).toBe('off');
    const set = async (change: object) => {
      expect(await call(node, 'setSettings', { change })).toMatchObject({ saved: true });
    };
    await set({ mqttUrl: broker.url });
    await expect.poll(() => of(watch, device.id).length, WAIT).toBe(4);
    await set({ mqttPrefix: 'home/water', mqttDiscoveryPrefix: '' });
    await expect
      .poll(() => of(watch, device.id).sort(), WAIT)
      .toEqual(['alerts', 'availability', 'state'].map((each) => `home/water/${device.id}/${each}`));
    await set({ mqttUrl: null });
    await expect.poll(() => [...watch.held.keys()], WAIT).toEqual([]);
    expect((await call(node, 'connections', {})).mqtt).toMatchObject({ state: 'off', devices: 0 });
  });

  it('accepts readings while the broker stops reading, and publishes the newest afterwards', async () => {
    const broker = await startBroker();
    const watch = await broker.watch();
    const node = await begin(startNode, { MQTT_URL: broker.url });
    const device = await registeredDevice(node.url('local'));
    await post(node, device, { plain: { ph: 6 } });
    await expect.poll(() => stateOf(watch, device), WAIT).toMatchObject({ ph: 6 });
    broker.freeze(true);
    for (let count = 0; count < 300; count += 1) await post(node, device, { plain: { ph: 5 + count / 300 } });
    await post(node, device, { plain: { ph: 7 } });
    const sent = watch.messages.length;
    broker.freeze(false);
    await expect.poll(() => stateOf(watch, device), WAIT).toMatchObject({ ph: 7 });
    // What came in between was replaced by what came after it.
    expect(watch.messages.length - sent).toBeLessThan(30);
  });
});

describe.skipIf(!hasMosquitto)('a connection to a broker', () => {
  const stateIn = async (node: RunningNode) => (await call(node, 'connections', {})).mqtt;

  it('needs the right password, which the page accepts and never shows', async () => {
    const broker = await startBroker({ login: { username: 'well', password: 'correct horse 42' } });
    const node = await begin(startNode, { MQTT_URL: broker.url, MQTT_USERNAME: 'well' });
    await expect.poll(async () => (await stateIn(node)).error?.fault, WAIT).toBe('login');
    expect((await call(node, 'testMqtt', {})).failure?.fault).toBe('login');
    const { mqttPassword } = await call(node, 'setConnectionSecrets', { mqttPassword: 'correct horse 42' });
    expect(mqttPassword).toEqual({ source: 'page' });
    await expect.poll(async () => (await stateIn(node)).state, WAIT).toBe('connected');
    expect((await call(node, 'testMqtt', {})).failure).toBeNull();
    const { zip, files } = await call(node, 'diagnostics', {});
    expect(zip).not.toBe('');
    expect(JSON.stringify([files, await call(node, 'getSettings', {}), node.stdout, node.stderr])).not.toContain(
      'horse',
    );
    await call(node, 'setConnectionSecrets', { mqttPassword: null });
    await expect.poll(async () => (await stateIn(node)).error?.fault, WAIT).toBe('login');
  });

  it('sends a password only to the broker and for the user that it was typed for', async () => {
    const broker = await startBroker({ login: { username: 'well', password: 'correct horse 42' } });
    const node = await begin(startNode, {});
    const sourceAfter = async (change: { mqttUrl?: string | null; mqttUsername?: string }) => {
      await call(node, 'setSettings', { change });
      return (await call(node, 'connections', {})).mqttPassword.source;
    };
    const tooEarly = { mqttPassword: 'correct horse 42' };
    await expect(call(node, 'setConnectionSecrets', tooEarly)).rejects.toThrow('invalid_input');
    await call(node, 'setSettings', { change: { mqttUrl: broker.url, mqttUsername: 'well' } });
    await call(node, 'setConnectionSecrets', { mqttPassword: 'correct horse 42' });
    await expect.poll(async () => (await stateIn(node)).state, WAIT).toBe('connected');
    expect(await sourceAfter({ mqttUsername: 'ill' })).toBeNull();
    expect(
      await sourceAfter({ mqttUrl: broker.url.replace('127.0.0.1', 'localhost'), mqttUsername: 'well' }),
    ).toBeNull();
    await expect.poll(async () => (await stateIn(node)).error?.fault, WAIT).toBe('login');
    expect(await sourceAfter({ mqttUrl: null })).toBeNull();
    expect(await sourceAfter({ mqttUrl: broker.url })).toBe('page');
    await expect.poll(async () => (await stateIn(node)).state, WAIT).toBe('connected');
  });

  it('verifies the certificate with the authority’s file', async () => {
    const broker = await startBroker({ tls: ['127.0.0.1', 'broker.test'] });
    const other = await startBroker({ tls: ['elsewhere.test'] });
    const node = await begin(startNode, { MQTT_URL: broker.url });
    await expect.poll(async () => (await stateIn(node)).error?.fault, WAIT).toBe('certificate');
    await call(node, 'setSettings', { change: { mqttCa: '/nowhere/ca.pem' } });
    expect((await call(node, 'testMqtt', {})).failure?.fault).toBe('ca_file');
    await call(node, 'setSettings', { change: { mqttCa: other.caFile } });
    expect((await call(node, 'testMqtt', {})).failure?.fault).toBe('certificate');
    await call(node, 'setSettings', { change: { mqttCa: broker.caFile } });
    expect((await call(node, 'testMqtt', {})).failure).toBeNull();
    await expect.poll(async () => (await stateIn(node)).state, WAIT).toBe('connected');
  });

  it('works over a WebSocket, too, and reports an address without a broker as refused', async () => {
    const broker = await startBroker();
    // Debian's mosquitto has no WebSockets of its own.
    const door = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => 'mqtt' });
    undo.push(() => door.close());
    door.on('connection', (socket) => {
      const inside = createConnection(broker.port, '127.0.0.1').on('error', () => socket.terminate());
      const outside = createWebSocketStream(socket).on('error', () => inside.destroy());
      outside.pipe(inside).pipe(outside);
    });
    await once(door, 'listening');
    const { port } = door.address() as AddressInfo;
    const node = await begin(startNode, {});
    await call(node, 'setSettings', { change: { mqttUrl: `ws://127.0.0.1:${port}/mqtt` } });
    await expect.poll(async () => (await stateIn(node)).state, WAIT).toBe('connected');
    await broker.kill();
    await call(node, 'setSettings', { change: { mqttUrl: broker.url } });
    await expect.poll(async () => (await stateIn(node)).error?.fault, WAIT).toBe('refused');
  });
});
