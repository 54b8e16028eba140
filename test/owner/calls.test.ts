import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { METHODS, type MethodName } from '../../src/shared/owner-api/contract.ts';
import { NO_NOTES as NOTES } from '../../src/shared/owner-data/notes.ts';
import { CHANGEABLE_NAMES, SETTINGS } from '../../src/shared/settings/table.ts';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { accept, postBlocks, readingsOf, refuse, register, registeredDevice } from '../support/client.ts';
import { send } from '../support/http.ts';
import { runningNode, startNode } from '../support/node-process.ts';
import { call, EventSocket, failure, sendCall, uiToken } from '../support/owner-client.ts';
import { UNKNOWN_DEVICE as UNKNOWN, VALID_INPUTS } from '../support/owner-inputs.ts';
import { slowness } from '../support/pace.ts';
import { THOROUGH } from '../support/thorough.ts';

const node = runningNode({ args: ['--ui'] });
const local = () => node.url('local');

const VALID: Readonly<Record<MethodName, Record<string, unknown>>> = VALID_INPUTS;
const WRONG_VALUES: readonly unknown[] = [
  -1,
  1.5,
  1e300,
  '',
  'x',
  UNKNOWN.toUpperCase(),
  [],
  {},
  { $gt: '' },
  true,
  null,
];

const NO_OBJECTS = ['', '[]', 'null'];
/** Only for one method of each route: what parses a body is the same for all others. */
const NOT_JSON = [' ', 'x', '{', '1', '"x"', '['.repeat(100), '['.repeat(100_000)];
const OF_EACH_ROUTE: readonly MethodName[] = ['nodeInfo', 'writeKeystore'];
/** Longer than a call may be. */
const TOO_LARGE = JSON.stringify({ x: 'x'.repeat(1024 ** 2) });

/** Checked by the schema of another method, which it is for: test/nodes has that. */
const ANYTHING: readonly string[] = ['callNode.input'];

describe.each(Object.keys(METHODS) as MethodName[])('a malformed payload to %s', (method) => {
  async function isRefused(body: string): Promise<void> {
    const reply = await sendCall(node.process, method, body);
    expect([reply.status, reply.json], body.slice(0, 200)).toEqual([
      400,
      { ok: false, error: 'invalid_input', details: expect.any(String) },
    ]);
  }

  it('is refused if it is not an object of known members', async () => {
    for (const body of NO_OBJECTS) await isRefused(body);
    if (OF_EACH_ROUTE.includes(method)) for (const body of NOT_JSON) await isRefused(body);
    await isRefused(JSON.stringify({ ...VALID[method], more: 1 }));
    await isRefused(JSON.stringify(VALID[method]).replace('{', '{"__proto__":{"id":"x"},'));
  });

  it('is refused if a member is missing or of another kind', async () => {
    const schema = METHODS[method].input as z.ZodObject;
    for (const name of Object.keys(VALID[method])) {
      const { [name]: _left, ...others } = VALID[method];
      await isRefused(JSON.stringify(others));
      const wrong = WRONG_VALUES.filter((value) => !schema.shape[name]!.safeParse(value).success);
      if (ANYTHING.includes(`${method}.${name}`)) continue;
      expect(wrong.length).toBeGreaterThan(5);
      // The node checks by the same schema: a few values show that it does, of each kind over all methods.
      const first = (Object.keys(METHODS).indexOf(method) + name.length) % 4;
      for (const value of wrong.filter((_, at) => THOROUGH > 1 || at % 4 === first))
        await isRefused(JSON.stringify({ ...VALID[method], [name]: value }));
    }
  });

  it('is refused if it is too large or not JSON by its type', async () => {
    // A keystore may be larger; test/owner/keystore.test.ts has its limit.
    if (method === 'nodeInfo') {
      const large = await sendCall(node.process, method, TOO_LARGE);
      expect([large.status, large.json]).toEqual([413, { ok: false, error: 'invalid_input' }]);
    }
    for (const contentType of ['text/plain', 'application/x-www-form-urlencoded']) {
      const headers = { authorization: `Bearer ${uiToken(node.process)}` };
      const body = JSON.stringify(VALID[method]);
      const reply = await send(`${local()}/ui/api/${method}`, { method: 'POST', body, contentType, headers });
      expect([reply.status, reply.json]).toEqual([415, { ok: false, error: 'invalid_input' }]);
    }
  });

  it('would have been accepted unchanged', () => {
    expect(METHODS[method].input.safeParse(VALID[method]).success).toBe(true);
  });
});

describe('settings', () => {
  const refusal = [400, { ok: false, error: 'invalid_input', details: expect.any(String) }];

  it.each(CHANGEABLE_NAMES)('accept no %s of another kind, and nothing changes', async (name) => {
    const { schema } = SETTINGS[name];
    const before = await call(node.process, 'getSettings', {});
    const wrong = [...WRONG_VALUES, 65_536.5, 2 ** 53, ['http://x'], ['A'], 'pt', 'loud'];
    const refused = wrong.filter((value) => !schema.safeParse(value).success);
    expect(refused.length).toBeGreaterThan(5);
    for (const value of refused) {
      expect(await failure(node.process, 'setSettings', { change: { [name]: value } })).toEqual(refusal);
    }
    expect(await call(node.process, 'getSettings', {})).toEqual(before);
  });

  it('accept no unknown member, and no empty change', async () => {
    for (const change of [{}, { dataDir: '/x' }, { logLevel: 'info' }, { publicRateLimit: 5, more: 1 }]) {
      expect(await failure(node.process, 'setSettings', { change })).toEqual(refusal);
    }
  });

  it('of a browser do not include folders and windows', async () => {
    const { settings, ownerView } = await call(node.process, 'getSettings', {});
    const ofOthers = Object.entries(settings).filter(([, { applies }]) => !applies);
    expect(ofOthers.map(([name]) => name).sort()).toEqual([
      'closeBehaviour',
      'dataDir',
      'language',
      'startAtLogin',
      'theme',
    ]);
    expect(ownerView).toBe('browser');
    expect(await call(node.process, 'moveData', { to: '/somewhere' })).toEqual({ problem: 'not_applicable' });
    const use = await call(node.process, 'useDataDir', { path: '/somewhere', startOver: true });
    expect(use).toEqual({ problem: 'not_applicable' });
    expect(await call(node.process, 'cancelMove', {})).toEqual({});
    expect((await failure(node.process, 'deleteOldData', { path: '/x', confirm: '/x' }))[0]).toBe(404);
  });

  it('and diagnostics match the contract, and changes are reported', async () => {
    const socket = new EventSocket(node.process);
    try {
      await socket.ready;
      const answer = await call(node.process, 'setSettings', { change: { publicRateLimit: 1234 } });
      expect(answer).toMatchObject({ saved: true, view: { settings: { publicRateLimit: { value: 1234 } } } });
      await socket.next('settings');
      const { files, name } = await call(node.process, 'diagnostics', {});
      expect(files.map((file) => file.name)).toEqual(['report.json', 'log.jsonl']);
      expect(name).toMatch(/^wellhouse-diagnostics-\d{8}T\d{4}\.zip$/);
      expect(JSON.parse(files[0]!.text)).toMatchObject({ state: { state: 'running' }, ownerView: 'browser' });
    } finally {
      socket.close();
    }
  });
});

it.each(['noSuchMethod', 'constructor', '__proto__', 'toString', 'nodeInfo%2f..', 'NODEINFO'])(
  'the method %s does not exist',
  async (method) => {
    const reply = await sendCall(node.process, method, '{}');
    expect([reply.status, reply.json]).toEqual([
      404,
      { ok: false, error: 'unknown_method', details: expect.any(String) },
    ]);
  },
);

describe('the answers of the methods', () => {
  it('match the contract, for devices that posted', async () => {
    const device = await registeredDevice(local(), { location: 622485130170302463n, ownerName: 'Ana' });
    await register(node.url('public'), device.registration({ publishTo: 2 }));
    const now = Date.now();
    const blocks = Array.from({ length: 50 }, (_, index) => {
      return device.block({ seq: index + 1, timestamp: now - (50 - index) * 60_000, plain: { ph: 6.2, ec: 1200 } });
    });
    await postBlocks(local(), blocks);
    await postBlocks(node.url('public'), blocks);
    const { id } = device;

    const info = await call(node.process, 'nodeInfo', {});
    expect(info).toMatchObject({ ownerView: 'browser', publicKey: node.process.started.publicKey, localUrl: local() });
    const dayStart = now - 3_600_000;
    // Counts are gathered for a second: no reply waits for them.
    const readingsToday = async () => (await call(node.process, 'overview', { dayStart })).totals.readingsToday;
    // Sent to both endpoints, each is one reading.
    await expect.poll(readingsToday, { timeout: 60_000 }).toBe(50);
    const overview = await call(node.process, 'overview', { dayStart });
    const summary = overview.devices.find((one) => one.id === id)!;
    expect(summary).toMatchObject({ ownerName: 'Ana', location: '622485130170302463', mine: true, clockNotSet: false });
    expect(summary.stores.map(({ store }) => store)).toEqual(['private', 'public']);
    expect(summary.newest).toMatchObject({ ph: { value: 6.2, seq: '50' }, tempWater: null });
    const detail = await call(node.process, 'device', { id });
    expect(detail.readings).toEqual([
      { store: 'private', count: 50 },
      { store: 'public', count: 50 },
    ]);
    const { readings } = await call(node.process, 'latestReadings', { id, limit: 500 });
    expect(readings.map(({ seq }) => seq)).toEqual(Array.from({ length: 50 }, (_, index) => String(50 - index)));
    expect(new Set(readings.map(({ store }) => store))).toEqual(new Set(['private']));
    const history = await call(node.process, 'history', { id, from: null, to: null, maxPoints: 10 });
    expect(history.fields.ph.count.reduce((sum, count) => sum + count, 0)).toBe(50);
    const page = await call(node.process, 'readingsPage', { id, from: null, to: null, cursor: null, limit: 30 });
    expect([page.readings.length, page.total]).toEqual([30, 50]);
    const rest = await call(node.process, 'readingsPage', { id, from: null, to: null, cursor: page.next, limit: 30 });
    expect([rest.readings.length, rest.next, rest.total]).toEqual([20, null, null]);
  });

  it.each(['device', 'latestReadings', 'readingsPage', 'history', 'setNotes', 'forgetDevice'] as const)(
    '%s of an unknown device is not found',
    async (method) => {
      expect(await failure(node.process, method, VALID[method])).toEqual([
        404,
        { ok: false, error: 'not_found', details: expect.any(String) },
      ]);
    },
  );

  it('many calls at once are all answered', async () => {
    const calls = Array.from({ length: 100 }, (_, dayStart) => call(node.process, 'overview', { dayStart }));
    expect(await Promise.all(calls)).toHaveLength(100);
  });
});

describe('withheld values', () => {
  it('are counted by store, cause and field', async () => {
    const policy = { ph: { default_disposition: 0 }, ec: { default_disposition: 2 } } as const;
    const device = await registeredDevice(local(), { privacyPolicy: policy, publishTo: 0 });
    await register(node.url('public'), device.registration({ publishTo: 0 }));
    const blocks = [1, 2].map((seq) =>
      device.block({ seq, timestamp: Date.now(), plain: { ph: 6, ec: 900, humidity: 50 } }),
    );
    await postBlocks(local(), blocks);
    // Known already: nothing of it is withheld another time.
    await postBlocks(local(), blocks);
    await postBlocks(node.url('public'), blocks);
    const { id } = device;
    const read = async () => (await call(node.process, 'device', { id })).withheld;
    await expect.poll(async () => (await read()).length, { timeout: 60_000 }).toBe(3);
    expect((await read()).map(({ store, cause, field, count }) => [store, cause, field, count])).toEqual([
      ['private', 'encrypted_only', 'ec', 2],
      ['private', 'omit', 'ph', 2],
      ['public', 'publish_to', null, 2],
    ]);
  });
});

describe('notes', () => {
  it('are saved as given, beside the device’s own data, and over a restart', async () => {
    const own = await startNode({ args: ['--ui'] });
    const device = await registeredDevice(own.url('local'));
    const notes = {
      displayName: 'Nursery <b>"1"</b> \u202e',
      units: { ec: { shown: 'millisiemens' as const }, waterLevel: { tank: { empty: 400, full: 50 } } },
      earlierLabels: { tempWater: '°F' },
      text: 'By the door',
      silentAfterMs: 5000,
      status: 2 as const,
      mine: true,
      isHidden: true,
    };
    try {
      expect(await call(own, 'setNotes', { id: device.id, notes })).toEqual(notes);
      expect(await call(own, 'device', { id: device.id })).toMatchObject({
        notes,
        name: device.name,
        silentAfterMs: 5000,
      });
      await own.stop();
      const again = await startNode({ args: ['--ui'], dataDir: own.dataDir });
      expect(await call(again, 'device', { id: device.id })).toMatchObject({ notes });
      await again.stop();
    } finally {
      await own.dispose();
    }
  });
});

describe('forgetting a device', () => {
  it('deletes it from one store, with its readings, and lets it register again', async () => {
    const device = await registeredDevice(local());
    await register(node.url('public'), device.registration());
    const block = (seq: number) => device.block({ seq, timestamp: Date.now(), plain: { ph: 6 } });
    const blocks = Array.from({ length: 100 }, (_, index) => block(index));
    for (let batch = 0; batch < 11; batch += 1) {
      await postBlocks(
        local(),
        Array.from({ length: 100 }, (_, index) => block(batch * 100 + index)),
      );
    }
    await postBlocks(node.url('public'), blocks);
    const { id } = device;
    await call(node.process, 'setNotes', { id, notes: { ...NOTES, displayName: 'Mine', mine: true } });
    const wrong = await failure(node.process, 'forgetDevice', { id, store: 'private', confirm: UNKNOWN });
    expect(wrong).toEqual([400, { ok: false, error: 'invalid_input', details: expect.any(String) }]);

    expect(await call(node.process, 'forgetDevice', { id, store: 'private', confirm: id })).toEqual({ readings: 1100 });
    expect(await readingsOf(local(), id)).toEqual([]);
    expect((await send(`${local()}/v1/devices/${id}`)).status).toBe(404);
    expect((await send(`${local()}/v1/devices`)).text).not.toContain(id);
    expect(await refuse(local(), block(5000))).toBe(`Device not found: ${id}`);
    const detail = await call(node.process, 'device', { id });
    expect(detail.stores.map(({ store }) => store)).toEqual(['public']);
    expect(detail).toMatchObject({
      mine: true,
      readings: [{ store: 'public', count: 100 }],
      notes: { displayName: 'Mine' },
    });
    expect((await failure(node.process, 'forgetDevice', { id, store: 'private', confirm: id }))[0]).toBe(404);

    expect((await register(local(), device.registration({ name: 'Again' }))).status).toBe(201);
    await accept(local(), block(0));
    expect(await readingsOf(local(), id)).toHaveLength(1);
    expect(await call(node.process, 'device', { id })).toMatchObject({ name: 'Again', notes: { displayName: 'Mine' } });

    for (const store of ['private', 'public'] as const) {
      await call(node.process, 'forgetDevice', { id, store, confirm: id });
    }
    expect((await failure(node.process, 'device', { id }))[0]).toBe(404);
    await register(local(), device.registration());
    expect(await call(node.process, 'device', { id })).toMatchObject({ notes: NOTES });
  });

  it('continues while readings keep coming, of it and of others', async () => {
    const [gone, stays] = [await registeredDevice(local()), await registeredDevice(local())];
    const batch = (device: SimulatedDevice, round: number) =>
      Array.from({ length: 100 }, (_, index) => {
        return device.block({ seq: round * 100 + index, timestamp: Date.now(), plain: { ph: 6 } });
      });
    for (let round = 0; round < 20; round += 1) await postBlocks(local(), batch(gone, round));
    let isForgotten = false;
    const forgetting = call(node.process, 'forgetDevice', { id: gone.id, store: 'private', confirm: gone.id });
    void forgetting.then(() => {
      isForgotten = true;
    });
    let accepted = 0;
    for (let round = 20; !isForgotten || round < 25; round += 1) {
      const [own, other] = await Promise.all([
        postBlocks(local(), batch(gone, round)),
        postBlocks(local(), batch(stays, round)),
      ]);
      expect(other.accepted).toBe(100);
      accepted += own.accepted;
      for (const { error } of own.errors) expect(error).toBe(`Device not found: ${gone.id}`);
    }
    expect((await forgetting).readings).toBe(2000 + accepted);
    expect(await readingsOf(local(), gone.id)).toEqual([]);
    expect((await failure(node.process, 'device', { id: gone.id }))[0]).toBe(404);
  });
});

describe('events', () => {
  it('report a new reading within a second, devices and attempts', async () => {
    const socket = new EventSocket(node.process);
    try {
      await socket.ready;
      const device = await registeredDevice(local());
      await socket.next('devices');
      const before = performance.now();
      await accept(local(), device.block({ seq: 1, timestamp: Date.now(), plain: { ph: 6 } }));
      const { at } = await socket.next('readings', ({ devices }) => devices.includes(device.id));
      expect(at - before).toBeLessThan(1000 * slowness());

      const stranger = new SimulatedDevice();
      // Only a few attempts a second are looked at, and other tests' devices knock too.
      const knocking = async () => {
        await refuse(local(), stranger.block({ seq: 1, timestamp: Date.now() }));
        const { unregistered } = await call(node.process, 'overview', { dayStart: 0 });
        return unregistered.filter(({ id }) => id === stranger.id);
      };
      await expect
        .poll(knocking, { timeout: 60_000 })
        .toEqual([expect.objectContaining({ stores: ['private'], isOurs: true, lastError: 'device_not_found' })]);
      await socket.next('attempts');
      await expect
        .poll(async () => (await call(node.process, 'overview', { dayStart: 0 })).totals.rejectedToday, {
          timeout: 60_000,
        })
        .toContainEqual({ store: 'private', cause: 'device_not_found', count: expect.any(Number) });
    } finally {
      socket.close();
    }
  });

  it('are few, however many readings come in', async () => {
    const socket = new EventSocket(node.process);
    try {
      await socket.ready;
      const device = await registeredDevice(local());
      const started = performance.now();
      for (let seq = 0; performance.now() - started < 1500; seq += 1) {
        await accept(local(), device.block({ seq, timestamp: Date.now(), plain: { ph: 6 } }));
      }
      const lasted = performance.now() - started;
      await socket.next('readings', ({ devices }) => devices.includes(device.id));
      const readings = socket.events.filter(({ name }) => name === 'readings');
      expect(readings.length).toBeGreaterThan(2);
      expect(readings.length).toBeLessThanOrEqual(Math.ceil(lasted / 250) + 1);
    } finally {
      socket.close();
    }
  });
});

describe('a public store whose endpoint is off', () => {
  it('is shown and can be cleaned up, is not created if it is missing, and its endpoint stays off', async () => {
    const first = await startNode({ args: ['--ui'] });
    try {
      const device = await registeredDevice(first.url('public'));
      await accept(first.url('public'), device.block({ seq: 1, timestamp: Date.now(), plain: { ph: 6 } }));
      await first.stop();
      const env = { PUBLIC_ENABLED: 'false' };
      const second = await startNode({ args: ['--ui'], dataDir: first.dataDir, env });
      const { id } = device;
      const { devices, totals } = await call(second, 'overview', { dayStart: 0 });
      expect(devices.map((one) => [one.id, one.mine])).toEqual([[id, false]]);
      expect(totals.stores.map(({ store }) => store)).toEqual(['private', 'public']);
      expect((await call(second, 'latestReadings', { id, limit: 5 })).readings).toHaveLength(1);
      expect((await call(second, 'nodeInfo', {})).publicUrl).toBeNull();
      expect(await call(second, 'forgetDevice', { id, store: 'public', confirm: id })).toEqual({ readings: 1 });
      expect((await call(second, 'overview', { dayStart: 0 })).devices).toEqual([]);
      await second.stop();
    } finally {
      await first.dispose();
    }
    const without = await startNode({ args: ['--ui'], env: { PUBLIC_ENABLED: 'false' } });
    try {
      const { totals } = await call(without, 'overview', { dayStart: 0 });
      expect(totals.stores.map(({ store }) => store)).toEqual(['private']);
      await without.stop();
    } finally {
      await without.dispose();
    }
  });
});
