import Database from 'better-sqlite3';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { NodeEventMap } from '../../src/main/common/node-events.ts';
import { Node } from '../../src/main/node/node.ts';
import type { Handlers, HostMethod } from '../../src/main/owner/handlers.ts';
import { readSettings } from '../../src/main/settings/settings.ts';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { handWritten, postBlocks, register, registeredDevice, SOME_TIME } from '../support/client.ts';
import { post } from '../support/http.ts';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';
import { storePath } from '../support/store-file.ts';

// Events exist in every node: these have no owner's view.

type Event = { [E in keyof NodeEventMap]: readonly [E, NodeEventMap[E]] }[keyof NodeEventMap];

let dataDir: string;
let node: Node;
let heard: Event[];

beforeEach(async () => {
  dataDir = temporaryFolder();
  const settings = readSettings({ PUBLIC_PORT: '0', LOCAL_PORT: '0' }, { dataDir, publicEnabled: true });
  node = new Node(settings, pino({ level: 'silent' }), {
    ownerView: null,
    hostHandlers: {} as Handlers<HostMethod>,
  });
  heard = [];
  const names = [
    'stored',
    'refused',
    'knocked',
    'registered',
    'countsChanged',
    'storeState',
    'listenersChanged',
  ] as const;
  for (const name of names) node.events.on(name, (payload) => heard.push([name, payload] as unknown as Event));
  await node.start();
});
afterEach(async () => {
  await node.stop();
  removeFolder(dataDir);
});

const publicUrl = () => node.urls.publicUrl!.replace('0.0.0.0', '127.0.0.1');
const of = <E extends keyof NodeEventMap>(name: E) =>
  heard.filter(([event]) => event === name).map(([, payload]) => payload as NodeEventMap[E]);

it('reports stored readings, with their plain values and the names of sealed fields', async () => {
  const device = await registeredDevice(node.urls.localUrl);
  const sealed = { cipher: 'ab'.repeat(20), nonce: 'cd'.repeat(12) };
  const json = { ph: { plain: 6.2 }, ec: sealed, humidity: null };
  const before = Date.now();
  const good = handWritten(device, { seq: '18446744073709551615', json });
  const result = await postBlocks(node.urls.localUrl, [good, handWritten(device, { seq: 2 }), good]);
  expect(result.accepted).toBe(3);
  const [{ store, readings }] = of('stored') as [NodeEventMap['stored']];
  expect([of('stored').length, store]).toEqual([1, 'private']);
  const times = { timestamp: String(SOME_TIME), receivedAt: expect.any(Number) };
  expect(readings).toEqual([
    { deviceId: device.id, seq: '18446744073709551615', ...times, values: { ph: 6.2 }, sealed: ['ec'] },
    { deviceId: device.id, seq: '2', ...times, values: {}, sealed: [] },
  ]);
  expect(readings[0]!.receivedAt).toBeGreaterThanOrEqual(before);
  expect(readings[0]!.receivedAt).toBeLessThanOrEqual(Date.now());

  heard = [];
  expect(await postBlocks(node.urls.localUrl, [good])).toMatchObject({ status: 200 });
  expect(of('stored')).toEqual([]);
});

it('reports refused blocks with the reason and their store', async () => {
  const device = await registeredDevice(publicUrl());
  const stranger = new SimulatedDevice();
  await postBlocks(publicUrl(), [
    handWritten(device),
    { seq: 7 },
    handWritten(stranger),
    { ...handWritten(device, { seq: 2 }), signature: '00'.repeat(64) },
    handWritten(device, { seq: 3, tail: '|ph=6.20', json: { ph: { plain: 7 } } }),
  ]);
  expect(of('refused')).toEqual([
    {
      store: 'public',
      blocks: [
        { deviceId: '', cause: 'invalid_block' },
        { deviceId: stranger.id, cause: 'device_not_found' },
        { deviceId: device.id, cause: 'invalid_signature' },
        { deviceId: device.id, cause: 'raw_json_mismatch' },
      ],
    },
  ]);
});

it('reports devices that register and that knock', async () => {
  const device = new SimulatedDevice();
  await postBlocks(node.urls.localUrl, [handWritten(device)]);
  await expect
    .poll(() => of('knocked'), { timeout: 60_000 })
    .toEqual([{ store: 'private', deviceId: device.id, attempts: 1 }]);
  await expect.poll(() => of('countsChanged'), { timeout: 60_000 }).toContainEqual({ store: 'private' });
  await register(node.urls.localUrl, device.registration());
  await register(node.urls.localUrl, device.registration());
  expect(of('registered')).toEqual([{ store: 'private', deviceId: device.id }]);
});

it('reports once that a store refuses to write, and that it accepts writes again', async () => {
  const url = node.urls.localUrl;
  const device = await registeredDevice(url);
  const lock = new Database(storePath(dataDir, 'local'), { fileMustExist: true });
  lock.exec('BEGIN IMMEDIATE');
  const replies = await Promise.all(
    [1, 2].map((seq) => post(`${url}/v1/telemetry`, { blocks: [handWritten(device, { seq })] })),
  );
  expect(replies.map(({ status }) => status)).toEqual([503, 503]);
  expect(of('storeState')).toEqual([
    { store: 'private', refusal: { code: 'busy', message: expect.stringMatching(/\S/) } },
  ]);
  lock.exec('ROLLBACK');
  lock.close();
  await postBlocks(url, [handWritten(device, { seq: 3 })]);
  expect(of('storeState').slice(1)).toEqual([{ store: 'private', refusal: null }]);
});

it('reports its addresses each time they change', async () => {
  const env = { PUBLIC_PORT: '0', LOCAL_PORT: '0', PUBLIC_ENABLED: 'false' };
  await node.applySettings(readSettings(env, { dataDir, publicEnabled: true }));
  expect(of('listenersChanged')).toEqual([{ urls: { local: node.urls.localUrl, public: null } }]);
  await node.applySettings(readSettings(env, { dataDir, publicEnabled: true }));
  expect(of('listenersChanged')).toHaveLength(1);
});
