import { afterEach, expect, it } from 'vitest';
import { VERSION } from '../../src/main/common/version.ts';
import type { Input } from '../../src/shared/owner-api/contract.ts';
import type { OtherNode, RelayedMethod } from '../../src/shared/owner-api/nodes.ts';
import { AlteringRelay } from '../support/altering-relay.ts';
import { accept, handWritten, registeredDevice } from '../support/client.ts';
import { DOOR_ENV, openPairing } from '../support/door.ts';
import { type NodeProcess, removeFolder, startProcess, temporaryFolder } from '../support/node-process.ts';
import { call, EventSocket } from '../support/owner-client.ts';

const WAIT = { timeout: 90_000 };
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function node(): Promise<NodeProcess> {
  const dataDir = temporaryFolder();
  ends.push(() => removeFolder(dataDir));
  const started = await startProcess({ args: ['--ui'], dataDir, env: DOOR_ENV });
  ends.push(() => started.stop());
  return started;
}

/** A node at the desk that has added one in the shed, which it reaches by a relay. */
async function pair(alter: (relay: AlteringRelay) => void) {
  const [desk, shed] = [await node(), await node()];
  const relay = await AlteringRelay.open(shed);
  ends.push(() => relay.close());
  alter(relay);
  const link = relay.by((await openPairing(shed)).links[0]!.link);
  expect(await call(desk, 'addNode', { link, name: 'Shed', replace: false })).toMatchObject({ problem: null });
  const listed = async (): Promise<OtherNode> => (await call(desk, 'nodes', {})).nodes[0]!;
  const ask = <M extends RelayedMethod>(method: M, input: Input<M>) =>
    call(desk, 'callNode', { node: shed.started.publicKey, method, input });
  return { desk, shed, relay, listed, ask };
}

/** Members whose names are ids: another one would be another device, not a member that a later version added. */
const BY_ID = ['per_destination', 'climate'];

/** Returns the value with an unknown member in each of its objects. */
function withMore(value: unknown, isById = false): unknown {
  if (Array.isArray(value)) return value.map((each) => withMore(each));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, each]) => [name, withMore(each, BY_ID.includes(name))]);
  return { ...Object.fromEntries(members), ...(isById ? {} : { later: { is: ['more'] } }) };
}

it('a newer node that says more is understood: what this version does not know is left out', async () => {
  const { desk, shed, listed, ask } = await pair((relay) => {
    relay.alters.value = (_method, value) => withMore(value);
    relay.alters.message = (message) => [
      { kind: 'weather', of: 'tomorrow' },
      { kind: 'event', event: 'harvest', payload: { kilos: 3 } },
      { ...message, ...(message.kind === 'event' ? { payload: { ...message.payload, later: 1 } } : {}), later: 1 },
    ];
  });
  await expect.poll(async () => (await listed()).standing, WAIT).toEqual({ state: 'connected' });
  const events = new EventSocket(desk);
  ends.push(() => events.close());
  await events.ready;
  const device = await registeredDevice(shed.url('local'));
  await accept(shed.url('local'), handWritten(device));
  const said = await events.next('nodeSaid', ({ event }) => event === 'readings');
  expect(said.payload).toEqual({ node: shed.started.publicKey, event: 'readings', payload: { devices: [device.id] } });

  const { id } = device;
  for (const [method, input] of [
    ['nodeInfo', {}],
    ['caller', {}],
    ['device', { id }],
    ['latestReadings', { id, limit: 10 }],
    ['journal', { device: null, from: null, to: null }],
    ['ownerChoices', {}],
    ['tasks', {}],
    ['cycles', {}],
    ['alerts', {}],
    ['alertRules', {}],
  ] as const) {
    const own = await call(shed, method, input as never);
    const through = await ask(method, input as never);
    expect([method, through]).toMatchObject([method, { ok: true, seenAt: null }]);
    const value = (through as { value: object }).value;
    expect([method, Object.keys(value)]).toEqual([method, Object.keys(own)]);
    expect([method, JSON.stringify(value)]).not.toEqual([method, expect.stringContaining('"later"')]);
  }
  const overview = await ask('overview', { dayStart: 0 });
  expect(overview).toMatchObject({ ok: true, value: { devices: [{ id }] } });
  expect(JSON.stringify(overview)).not.toContain('"later"');
  expect(await listed()).toMatchObject({ version: VERSION, isMisfit: false });
}, 120_000);

it('an answer that does not fit is refused by its place and both versions, the others are shown', async () => {
  let isOdd = true;
  const { desk, listed, ask } = await pair((relay) => {
    relay.alters.value = (method, value) => {
      if (method === 'nodeInfo') return { ...(value as object), version: '9.8.7', ownerView: 'watch' };
      return method === 'overview' && isOdd ? { ...(value as object), now: 'noon' } : value;
    };
  });
  // Who it is and its version are understood, whatever else is odd in the same answer.
  await expect.poll(listed, WAIT).toMatchObject({ standing: { state: 'connected' }, version: '9.8.7', isMisfit: true });
  const problem = (method: string, at: string) =>
    `Wellhouse 9.8.7 there answers ${method} in a form that Wellhouse ${VERSION} here does not know, at ${at}`;
  const refused = (method: string, at: string) => ({ ok: false, error: 'other_version', details: problem(method, at) });
  expect(await ask('overview', { dayStart: 0 })).toEqual(refused('overview', 'now'));
  expect(await ask('nodeInfo', {})).toEqual(refused('nodeInfo', 'ownerView'));
  expect(await ask('ownerChoices', {})).toMatchObject({ ok: true });
  expect(desk.stdout + desk.stderr).toContain(problem('overview', 'now'));
  isOdd = false;
  expect(await ask('overview', { dayStart: 0 })).toMatchObject({ ok: true, seenAt: null });
  expect((await listed()).standing).toEqual({ state: 'connected' });
}, 120_000);

it('a node that says nothing that is understood is refused as that', async () => {
  const { listed, ask } = await pair((relay) => {
    relay.alters.value = (method, value) => (method === 'nodeInfo' ? { name: 'Shed' } : value);
  });
  const refused = { state: 'refused', reason: 'not_understood', since: null };
  await expect.poll(listed, WAIT).toMatchObject({ standing: refused, version: null, isMisfit: false });
  expect(await ask('overview', { dayStart: 0 })).toMatchObject({ ok: false, error: 'disconnected' });
}, 120_000);
