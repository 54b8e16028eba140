import { afterEach, describe, expect, test } from 'vitest';
import type { Node } from '../../src/main/node/node.ts';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { accept, deviceOf, handWritten, readingsOf, register, registeredDevice } from '../support/client.ts';
import { ask, FakeMachine, startOn } from '../support/clocked-node.ts';
import { post, send } from '../support/http.ts';
import {
  type NodeProcess,
  type RunningNode,
  removeFolder,
  runningNode,
  startProcess,
  temporaryFolder,
} from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';

const GATE = { GATE_ADDRESS: '127.0.0.1', GATE_PORT: '0', PUBLIC_RATE_LIMIT: '0' };
const ATTACKER = { localAddress: '127.0.0.66' };
const HOUR = 3_600_000;
const node = runningNode({ args: ['--ui'], env: GATE });
const local = () => node.url('local');

async function gate(of: RunningNode = node.process): Promise<string> {
  const { gate: standing } = await call(of, 'gate', {});
  if (standing.state !== 'listening') throw new Error(JSON.stringify(standing));
  return `http://${standing.address}:${standing.port}`;
}

const open = (closesAfterOne = false) => call(node.process, 'openJoining', { closesAfterOne });
const close = () => call(node.process, 'closeJoining', {});
const pendingOf = async ({ id }: SimulatedDevice) =>
  (await call(node.process, 'gate', {})).pending.filter((each) => each.id === id);
const postOne = async (url: string, block: unknown, options = {}) =>
  post(`${url}/v1/telemetry`, { blocks: [block] }, options);
const isDevice = async ({ id }: SimulatedDevice) => (await send(`${local()}/v1/devices/${id}`)).status === 200;

async function pendingDevice(overrides = {}): Promise<SimulatedDevice> {
  await open();
  const device = new SimulatedDevice();
  expect((await register(await gate(), device.registration(overrides))).status).toBe(201);
  return device;
}

describe('a pending device', () => {
  test('gets its future answer, is not a device yet, and becomes one with a signed block, also after joining has closed', async () => {
    await open();
    const device = new SimulatedDevice();
    const reply = await register(await gate(), device.registration({ name: 'Tank', location: 2n ** 63n }));
    expect([reply.status, deviceOf(reply)]).toMatchObject([201, { id: device.id, name: 'Tank', location: 2n ** 63n }]);
    expect((await register(await gate(), device.registration({ name: 'Tank', location: 2n ** 63n }))).status).toBe(409);
    expect(await isDevice(device)).toBe(false);
    expect((await call(node.process, 'gate', {})).joining.joined).not.toContain(device.id);
    await close();
    await accept(await gate(), handWritten(device));
    expect(deviceOf(await send(`${local()}/v1/devices/${device.id}`))).toMatchObject({ name: 'Tank' });
    expect(await readingsOf(local(), device.id)).toHaveLength(1);
    expect((await call(node.process, 'gate', {})).joining.joined).toEqual([device.id]);
    expect((await register(await gate(), device.registration({ name: 'Tank' }))).status).toBe(409);
  });

  test('is not confirmed by an invalid block', async () => {
    const device = await pendingDevice();
    const sound = handWritten(device, { tail: '|ph=6.10', json: { ph: { plain: 6.1 } } });
    const forged = [
      { ...sound, signature: 'ab'.repeat(64) },
      { ...sound, signature: 'ab' },
      { ...sound, ph: { plain: 7 } },
      { ...sound, seq: -1 },
      { ...handWritten(new SimulatedDevice()), deviceId: device.id },
    ];
    const reply = await post(`${await gate()}/v1/telemetry`, { blocks: forged });
    expect([reply.status, reply.json]).toEqual([404, { error: `Device not found: ${device.id}` }]);
    const known = await registeredDevice(local());
    const mixed = await post(`${await gate()}/v1/telemetry`, { blocks: [...forged, handWritten(known)] });
    expect([mixed.status, mixed.json]).toMatchObject([207, { accepted: 1 }]);
    expect(await isDevice(device)).toBe(false);
    // One good block among bad ones is enough.
    const some = await post(`${await gate()}/v1/telemetry`, { blocks: [...forged, sound] });
    expect([some.status, some.json]).toMatchObject([207, { accepted: 1 }]);
    expect(await readingsOf(local(), device.id)).toMatchObject([{ ph: { value: 6.1 } }]);
  });

  test('has its first block stored by its policy', async () => {
    const device = await pendingDevice({ privacyPolicy: { ph: { default_disposition: 0 } } });
    const json = { ph: { plain: 6.1 }, ec: { plain: 900 } };
    await accept(await gate(), handWritten(device, { tail: '|ph=6.10|ec=900', json }));
    expect(await readingsOf(local(), device.id)).toMatchObject([{ ph: null, ec: { value: 900 } }]);
  });

  test('that registers at another endpoint no longer needs the gate', async () => {
    const device = await pendingDevice();
    expect((await register(local(), device.registration({ name: 'Here' }))).status).toBe(201);
    expect(await pendingOf(device)).toEqual([]);
    await accept(await gate(), handWritten(device));
  });
});

describe('others on the network', () => {
  test('can’t make a device confirm their registration of it', async () => {
    await open();
    const url = await gate();
    const device = new SimulatedDevice({ ownerPubkey: 'aa'.repeat(32) });
    const theirs = device.registration({ ownerPubkey: 'bb'.repeat(32), publishTo: 2, name: 'Theirs' });
    expect((await register(url, theirs, ATTACKER)).status).toBe(201);
    // It registered elsewhere before, so it posts first.
    expect((await postOne(url, handWritten(device))).status).toBe(404);
    expect((await register(url, device.registration({ name: 'Mine' }))).status).toBe(201);
    for (const options of [{}, ATTACKER]) expect((await postOne(url, handWritten(device), options)).status).toBe(404);
    const shown = await pendingOf(device);
    expect(shown.map(({ name, ownerPubkey, waitsFor, isSigned }) => [name, ownerPubkey, waitsFor, isSigned])).toEqual([
      ['Theirs', 'bb'.repeat(32), 'choice', true],
      ['Mine', 'aa'.repeat(32), 'choice', true],
    ]);
    await call(node.process, 'dismissRegistration', { id: device.id, registration: shown[0]!.registration });
    expect((await register(url, theirs, ATTACKER)).status).toBe(403);
    await accept(url, handWritten(device));
    expect(deviceOf(await send(`${local()}/v1/devices/${device.id}`))).toMatchObject({ name: 'Mine' });
  });

  test('are registrations among which the owner chooses', async () => {
    const device = await pendingDevice({ name: 'Mine' });
    const url = await gate();
    expect((await register(url, device.registration({ name: 'Theirs' }), ATTACKER)).status).toBe(201);
    const mine = (await pendingOf(device)).find(({ name }) => name === 'Mine')!;
    const { id, registration } = mine;
    await call(node.process, 'adoptDevice', { id, registration, name: 'Basil', dispositions: {} });
    expect(await pendingOf(device)).toEqual([]);
    await accept(url, handWritten(device));
    expect((await register(url, device.registration({ name: 'Theirs' }), ATTACKER)).status).toBe(409);
  });

  test('that poll a closed gate do not displace the device that it is opened for', async () => {
    await close();
    const url = await gate();
    let isOver = false;
    const poll = async () => {
      while (!isOver) await register(url, new SimulatedDevice().registration(), ATTACKER);
    };
    const pollers = Array.from({ length: 10 }, poll);
    await open(true);
    const junk = async () => (await call(node.process, 'gate', {})).pending.length;
    await expect.poll(junk, { timeout: 60_000 }).toBe(200);
    const device = new SimulatedDevice();
    expect((await register(url, device.registration())).status).toBe(201);
    await accept(url, handWritten(device));
    isOver = true;
    await Promise.all(pollers);
    const { joining } = await call(node.process, 'gate', {});
    expect([joining.leftMs, joining.joined]).toEqual([null, [device.id]]);
  }, 120_000);
});

test('of twenty simultaneous registrations and blocks of one device one counts, and no block is lost', async () => {
  await open();
  const url = await gate();
  const device = new SimulatedDevice();
  const seqs = Array.from({ length: 20 }, (_, index) => index + 1);
  const answers = await Promise.all(
    seqs.flatMap((seq) => [register(url, device.registration()), postOne(url, handWritten(device, { seq }))]),
  );
  const registrations = answers.filter((_, index) => index % 2 === 0).map(({ status }) => status);
  expect(registrations.toSorted()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
  const posts = answers.filter((_, index) => index % 2 === 1).map(({ status }) => status);
  expect(posts.filter((status) => status !== 200 && status !== 404)).toEqual([]);
  const confirmed = seqs.filter((_, index) => posts[index] === 200).map(BigInt);
  const stored = async () => (await readingsOf(local(), device.id)).map(({ seq }) => seq).toSorted();
  expect(await stored()).toEqual(confirmed.toSorted());
  for (const seq of seqs) await accept(url, handWritten(device, { seq }));
  expect(await stored()).toHaveLength(20);
  expect((await call(node.process, 'gate', {})).joining.joined).toEqual([device.id]);
});

test('a device whose readings would not be kept waits for the owner’s decision', async () => {
  const device = await pendingDevice({ publishTo: 1 });
  const url = await gate();
  expect((await postOne(url, handWritten(device))).status).toBe(404);
  const [shown] = await pendingOf(device);
  expect(shown).toMatchObject({ waitsFor: 'keeping', isSigned: true });
  const { registration } = shown!;
  await call(node.process, 'adoptDevice', { id: device.id, registration, name: 'Kept', dispositions: {} });
  await accept(url, handWritten(device));
  expect(await readingsOf(local(), device.id)).toHaveLength(1);
  expect((await call(node.process, 'device', { id: device.id })).stores[0]).toMatchObject({ publishTo: 0 });

  const other = await pendingDevice({ publishTo: 1 });
  const [listed] = await pendingOf(other);
  await call(node.process, 'dismissRegistration', { id: other.id, registration: listed!.registration });
  expect((await register(url, other.registration({ publishTo: 1 }))).status).toBe(403);
  expect(await pendingOf(other)).toEqual([]);
  expect(await isDevice(other)).toBe(false);
});

describe('a node that is killed', () => {
  const started: NodeProcess[] = [];
  let dataDir: string;
  afterEach(async () => {
    for (const each of started.splice(0)) await each.dispose();
    removeFolder(dataDir);
  });
  const start = async () => {
    const each = await startProcess({ args: ['--ui'], env: GATE, dataDir });
    started.push(each);
    return each;
  };

  test('between a registration and its block remembers pending and registered devices', async () => {
    dataDir = temporaryFolder();
    const devices = Array.from({ length: 12 }, () => new SimulatedDevice());
    const [first, second, contested] = devices as [SimulatedDevice, SimulatedDevice, SimulatedDevice];
    let running = await start();
    let url = await gate(running);
    await call(running, 'openJoining', { closesAfterOne: false });
    const answers = await Promise.all(devices.map((device) => register(url, device.registration())));
    expect(answers.map(({ status }) => status)).toEqual(devices.map(() => 201));
    expect((await register(url, contested.registration({ name: 'Theirs' }), ATTACKER)).status).toBe(201);
    await accept(url, handWritten(first));
    await running.kill();

    running = await start();
    url = await gate(running);
    expect((await call(running, 'gate', {})).joining.leftMs).toBeNull();
    expect((await register(url, first.registration())).status).toBe(409);
    expect((await register(url, second.registration())).status).toBe(409);
    expect((await postOne(url, handWritten(contested))).status).toBe(404);
    for (const device of devices) if (device !== contested) await accept(url, handWritten(device, { seq: 2 }));
    const { pending } = await call(running, 'gate', {});
    expect(pending.map(({ id, waitsFor }) => [id, waitsFor])).toEqual([
      [contested.id, 'choice'],
      [contested.id, 'choice'],
    ]);
  }, 60_000);
});

describe('a registration', () => {
  let dataDir: string;
  let clocked: Node;
  afterEach(async () => {
    await clocked.stop();
    removeFolder(dataDir);
  });

  test('expires after a day by the node’s clock, also over a restart', async () => {
    dataDir = temporaryFolder();
    const machine = new FakeMachine();
    const start = async () => {
      clocked = await startOn(machine, dataDir, GATE);
      const { gate: standing } = await ask(clocked, 'gate', {});
      if (standing.state !== 'listening') throw new Error(JSON.stringify(standing));
      return `http://${standing.address}:${standing.port}`;
    };
    const devices = [new SimulatedDevice(), new SimulatedDevice()] as const;
    let url = await start();
    await ask(clocked, 'openJoining', { closesAfterOne: false });
    for (const device of devices) expect((await register(url, device.registration())).status).toBe(201);
    await ask(clocked, 'closeJoining', {});
    machine.pass(23 * HOUR);
    await clocked.stop();
    url = await start();
    await accept(url, handWritten(devices[0]));
    machine.pass(HOUR);
    expect((await ask(clocked, 'gate', {})).pending).toEqual([]);
    expect((await postOne(url, handWritten(devices[1]))).status).toBe(404);
    expect((await register(url, devices[1].registration())).status).toBe(403);
  });
});
