import { expect, it } from 'vitest';
import { parseEntry, type RegistrationEntry } from '../../src/shared/proof/leaf.ts';
import type { ProofEntry } from '../../src/shared/proof/proof-format.ts';
import { parseJson64 } from '../../src/shared/protocol/json64.ts';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { accept, handWritten, register } from '../support/client.ts';
import { DOOR_ENV, DoorClient } from '../support/door.ts';
import { post } from '../support/http.ts';
import { runningNode } from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';

const GATE = { GATE_ADDRESS: '127.0.0.1', GATE_PORT: '0', PUBLIC_RATE_LIMIT: '0' };
const node = runningNode({ args: ['--ui'], env: { ...GATE, ...DOOR_ENV } });

async function gate(): Promise<string> {
  const { gate: standing } = await call(node.process, 'gate', {});
  if (standing.state !== 'listening') throw new Error(JSON.stringify(standing));
  return `http://${standing.address}:${standing.port}`;
}

/** The registrations of a device in the log of a store, as a proof has them. */
async function loggedOf(id: string, store: 'private' | 'public'): Promise<RegistrationEntry[]> {
  const input = { id, store, from: null, to: null, cursor: null, limit: 10 };
  const { begin } = await call(node.process, 'proofPage', input);
  const [, ...entries] = begin!.lines.trimEnd().split('\n');
  return entries.flatMap((line) => {
    const entry = parseEntry((JSON.parse(line) as ProofEntry).entry);
    return entry?.kind === 'registration' ? [entry] : [];
  });
}

/** The one registration of a device, once its hash was made. */
async function logged(id: string, store: 'private' | 'public' = 'private') {
  await expect.poll(async () => (await loggedOf(id, store)).length, { timeout: 60_000 }).toBe(1);
  const [{ way, by, received }] = (await loggedOf(id, store)) as [RegistrationEntry];
  const sent = received === null ? null : (parseJson64(received) as { readonly name: string });
  return { way, by: by === null ? null : (JSON.parse(by) as string), name: sent?.name ?? null };
}

/** Has a device knock until the owner sees it. */
async function knock(device: SimulatedDevice): Promise<void> {
  const url = await gate();
  const isSeen = async () => {
    await post(`${url}/v1/telemetry`, { blocks: [handWritten(device)] });
    const { unregistered } = await call(node.process, 'overview', { dayStart: 0 });
    return unregistered.some(({ id }) => id === device.id);
  };
  await expect.poll(isSeen, { timeout: 60_000, interval: 250 }).toBe(true);
}

it('a device that joined at the gate is logged as such, with its registration, also after a rename', async () => {
  await call(node.process, 'openJoining', { closesAfterOne: false });
  const device = new SimulatedDevice();
  expect((await register(await gate(), device.registration({ name: 'As sent' }))).status).toBe(201);
  await accept(await gate(), handWritten(device));
  await call(node.process, 'closeJoining', {});
  expect(await logged(device.id)).toEqual({ way: 'gate', by: null, name: 'As sent' });
  const { notes } = await call(node.process, 'device', { id: device.id });
  await call(node.process, 'setNotes', { id: device.id, notes: { ...notes, displayName: 'Basil' } });
  expect(await logged(device.id)).toEqual({ way: 'gate', by: null, name: 'As sent' });
});

it.each(['local', 'public'] as const)('one that registered at the %s endpoint is logged in its store', async (way) => {
  const device = new SimulatedDevice();
  const registration = device.registration({ name: 'As sent', publishTo: way === 'public' ? 1 : 0 });
  expect((await register(node.url(way), registration)).status).toBe(201);
  expect((await register(node.url(way), device.registration({ name: 'Later' }))).status).toBe(409);
  const store = way === 'public' ? 'public' : 'private';
  expect(await logged(device.id, store)).toEqual({ way, by: null, name: 'As sent' });
});

it('one that the owner adopted is logged with its adopter and its own registration, not with its new name', async () => {
  const [sent, knocked] = [new SimulatedDevice(), new SimulatedDevice()];
  expect((await register(await gate(), sent.registration({ name: 'As sent' }))).status).toBe(403);
  const { attempts } = await call(node.process, 'gate', {});
  const { registration } = attempts.find(({ id }) => id === sent.id)!;
  const anna = await DoorClient.pair(node.process, 'app', { name: "Anna's phone" });
  await anna.call('adoptDevice', { id: sent.id, registration, name: 'Basil', dispositions: {} });
  expect(await logged(sent.id)).toEqual({ way: 'adopted', by: "Anna's phone", name: 'As sent' });
  await knock(knocked);
  await call(node.process, 'adoptDevice', { id: knocked.id, registration: null, name: 'Mint', dispositions: {} });
  expect(await logged(knocked.id)).toEqual({ way: 'adopted', by: null, name: null });
});
