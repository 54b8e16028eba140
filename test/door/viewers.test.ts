import { expect, it } from 'vitest';
import { METHODS, type MethodName } from '../../src/shared/owner-api/contract.ts';
import { accept, handWritten, registeredDevice } from '../support/client.ts';
import { DOOR_ENV, DoorClient } from '../support/door.ts';
import { runningNode } from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';
import { VALID_INPUTS } from '../support/owner-inputs.ts';

const node = runningNode({ args: ['--ui'], env: DOOR_ENV });
/** All but the one that ends the pairing. */
const NAMES = (Object.keys(METHODS) as MethodName[]).filter((name) => name !== 'leave');
const SECRET = 'a secret note of the owner';

/** Two devices with a reading each, which the owner has in a group, a comparison, a rule and the journal. */
async function twoDevices() {
  const [shown, hidden] = [await registeredDevice(node.url('local')), await registeredDevice(node.url('local'))];
  await accept(node.url('local'), handWritten(shown, { seq: 1 }));
  await accept(node.url('local'), handWritten(hidden, { seq: 1 }));
  const group = { name: 'Both', isCollapsed: false, devices: [shown.id, hidden.id] };
  const lines = [shown.id, hidden.id].map((device) => ({ device, field: 'ph' as const }));
  await call(node.process, 'setOwnerChoices', {
    groups: [{ id: crypto.randomUUID(), ...group }],
    comparisons: [{ id: crypto.randomUUID(), name: 'Both', lines, range: 'range=7d' }],
  });
  for (const device of [shown.id, hidden.id, null]) {
    await call(node.process, 'writeJournalEntry', { id: null, device, at: Date.now(), text: `about ${device}` });
  }
  const { notes } = await call(node.process, 'device', { id: shown.id });
  await call(node.process, 'setNotes', { id: shown.id, notes: { ...notes, text: SECRET } });
  return { shown, hidden };
}

it('a viewer limited to a device learns about no other, by any method and any event', async () => {
  const { shown, hidden } = await twoDevices();
  const viewer = await DoorClient.pair(node.process, 'browser', { role: 'viewer', name: 'Ana', devices: [shown.id] });
  const socket = viewer.events();
  await socket.ready;
  const overview = await viewer.call('overview', { dayStart: 0 });
  expect(overview.devices.map(({ id }) => id)).toEqual([shown.id]);
  for (const name of NAMES) {
    for (const id of [hidden.id, shown.id]) {
      const valid: object = VALID_INPUTS[name];
      const input = { ...valid, ...('id' in valid ? { id } : {}), ...('device' in valid ? { device: id } : {}) };
      const { status, answer } = await viewer.ask(name, input);
      const text = JSON.stringify(answer);
      expect([name, text.includes(hidden.id)]).toEqual([name, false]);
      expect([name, text.includes(SECRET)]).toEqual([name, false]);
      expect([name, text.includes(node.process.dataDir)]).toEqual([name, false]);
      if (METHODS[name].role === 'owner' || ['writeJournalEntry', 'addPhoto', 'completeTask'].includes(name))
        expect([name, status]).toEqual([name, 403]);
      else if (name === 'photo') expect([name, status]).toEqual([name, 404]);
      else if (id === hidden.id && input !== valid && ('id' in valid || 'device' in valid)) {
        expect([name, status]).toEqual([name, 404]);
      } else expect([name, status]).toEqual([name, 200]);
    }
  }
});

it('a viewer gets only events about its devices, live', async () => {
  const { shown, hidden } = await twoDevices();
  const viewer = await DoorClient.pair(node.process, 'app', { role: 'viewer', devices: [shown.id] });
  const socket = viewer.events();
  await socket.ready;
  await accept(node.url('local'), handWritten(hidden, { seq: 2 }));
  await accept(node.url('local'), handWritten(shown, { seq: 2 }));
  await expect.poll(() => socket.devices, { timeout: 30_000 }).toContain(shown.id);
  expect(socket.devices).not.toContain(hidden.id);
  await call(node.process, 'openJoining', { closesAfterOne: true });
  await accept(node.url('local'), handWritten(shown, { seq: 3 }));
  await expect.poll(() => socket.devices.length, { timeout: 30_000 }).toBeGreaterThan(1);
  expect(socket.messages).not.toContainEqual(expect.objectContaining({ event: 'gate' }));
  socket.socket.terminate();
});

it('a viewer of everything sees plain readings, and that others are sealed', async () => {
  const { shown } = await twoDevices();
  const viewer = await DoorClient.pair(node.process, 'app', { role: 'viewer' });
  const device = await viewer.call('device', { id: shown.id });
  expect(device).toMatchObject({ mac: '', ownerPubkey: '', location: null });
  const sealed = { cipher: 'ab'.repeat(20), nonce: 'cd'.repeat(12) };
  const timestamp = Date.now();
  await accept(node.url('local'), shown.block({ seq: 2, timestamp, plain: { ph: 6.5 }, sealed: { humidity: sealed } }));
  const { readings } = await viewer.call('latestReadings', { id: shown.id, limit: 10 });
  expect(readings.map(({ fields }) => [fields.ph, fields.humidity])).toEqual([
    [6.5, { cipher: '', nonce: '' }],
    [null, null],
  ]);
  const page = { id: shown.id, from: null, to: null, cursor: null, limit: 10 };
  const all = [
    await viewer.call('readingsPage', page),
    await viewer.call('device', { id: shown.id }),
    await viewer.call('overview', { dayStart: 0 }),
  ];
  expect(JSON.stringify(all)).not.toContain(sealed.cipher);
  expect(JSON.stringify(await call(node.process, 'readingsPage', page))).toContain(sealed.cipher);
  expect(await viewer.call('nodeInfo', {})).toMatchObject({ dataDir: '', localUrl: '', addresses: [] });
});

it('a viewer with the right to log adds entries about its devices under its name, and nothing else', async () => {
  const { shown, hidden } = await twoDevices();
  const offered = { role: 'viewer' as const, name: 'Ana', devices: [shown.id], mayLog: true };
  const viewer = await DoorClient.pair(node.process, 'browser', offered);
  expect(await viewer.call('caller', {})).toMatchObject({ role: 'viewer', mayLog: true });
  const entry = { id: null, device: shown.id, at: Date.now(), text: '', act: { kind: 'cleaned' } };
  const { answer } = await viewer.ask('writeJournalEntry', entry);
  expect(answer).toMatchObject({ ok: true, value: { by: 'Ana', act: { kind: 'cleaned' } } });
  const before = await call(node.process, 'journal', { device: null, from: null, to: null });
  const [added] = before.entries.filter(({ by }) => by === 'Ana');
  expect(added).toMatchObject({ device: shown.id, act: { kind: 'cleaned' } });
  const task = (device: string | null) =>
    call(node.process, 'writeTask', { id: null, device, title: 'Wash', everyDays: null, due: '2026-03-28' });
  const done = async (device: string | null) =>
    (await viewer.ask('completeTask', { id: (await task(device)).id, at: 5, day: '2026-03-29' })).status;
  expect([await done(shown.id), await done(hidden.id), await done(null)]).toEqual([200, 404, 403]);
  const { tasks } = await call(node.process, 'tasks', {});
  expect(tasks.map(({ device, due }) => [device, due === null])).toEqual([
    [shown.id, true],
    [hidden.id, false],
    [null, false],
  ]);
  const { entries } = await call(node.process, 'journal', { device: null, from: null, to: null });
  const calibrated = { kind: 'calibrated', field: 'ph', points: [{ reference: 7, shown: 7.2 }] };
  const refused = [
    [{ ...entry, device: hidden.id }, 404],
    [{ ...entry, device: null }, 403],
    [{ ...entry, id: entries[0]!.id }, 403],
    [{ ...entry, id: added!.id }, 403],
    [{ ...entry, act: calibrated }, 403],
  ] as const;
  for (const [input, status] of refused) expect((await viewer.ask('writeJournalEntry', input)).status).toBe(status);
  for (const name of NAMES.filter((each) => METHODS[each].role === 'owner'))
    expect([name, (await viewer.ask(name, VALID_INPUTS[name])).status]).toEqual([name, 403]);
  const after = await call(node.process, 'journal', { device: null, from: null, to: null });
  expect(after.entries).toEqual(entries);
});
