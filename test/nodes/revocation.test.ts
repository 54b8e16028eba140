import { connect, createServer, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { EventBus } from '../../src/main/common/event-bus.ts';
import { nodesHandlers } from '../../src/main/nodes/handlers.ts';
import { OtherNodes } from '../../src/main/nodes/other-nodes.ts';
import type { MethodName } from '../../src/shared/owner-api/contract.ts';
import { DOOR_ENV, DoorClient, doorOf, openPairing } from '../support/door.ts';
import { removeFolder, runningNode, temporaryFolder } from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';

// A phone that is paired with one node, the desk, and reaches another one, the shed, through it.

const WAIT = { timeout: 60_000 };
const desk = runningNode({ args: ['--ui'], env: DOOR_ENV });
const shed = runningNode({ args: ['--ui'], env: DOOR_ENV });
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Forwards bytes to a door, and holds them on request. Reports the direction and the number of held bytes. */
async function carrier(door: string) {
  const held = { up: false, down: false };
  const kept: { to: Socket; bytes: Buffer }[] = [];
  const carry = (from: Socket, to: Socket, way: 'up' | 'down'): void => {
    from.on('data', (bytes) => {
      if (held[way]) kept.push({ to, bytes });
      else to.write(bytes);
    });
    from.on('error', () => {});
    from.on('close', () => to.destroy());
  };
  const server = createServer((near) => {
    const far = connect(Number(new URL(door).port), '127.0.0.1');
    carry(near, far, 'up');
    carry(far, near, 'down');
    ends.push(() => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => server.close());
  const { port } = server.address() as { port: number };
  return {
    port,
    held,
    /** How many pieces are held. */
    count: () => kept.length,
    release: () => {
      held.up = false;
      held.down = false;
      for (const { to, bytes } of kept.splice(0)) to.write(bytes);
    },
  };
}

async function phone(): Promise<{ client: DoorClient; revoke: () => Promise<void> }> {
  const client = await DoorClient.pair(desk.process, 'app', { name: 'Phone', role: 'owner' });
  const revoke = async () => {
    const { pairings } = await call(desk.process, 'door', {});
    for (const { id } of pairings) await call(desk.process, 'revokePairing', { id });
  };
  return { client, revoke };
}

/** The outcome of a call; null if there was no answer. */
const outcome = (client: DoorClient, method: MethodName, input: unknown) => client.ask(method, input).catch(() => null);

it('a node is not added if the phone is revoked meanwhile, and the code stays unused', async () => {
  const folder = temporaryFolder();
  ends.push(() => removeFolder(folder));
  const log = pino({ enabled: false });
  const clock = { now: () => Date.now() };
  const others = new OtherNodes({ folder: { path: folder }, events: new EventBus(log), clock, log });
  others.start();
  ends.push(() => others.stop());
  const way = await carrier(await doorOf(shed.process));
  const [{ link } = { link: '' }] = (await openPairing(shed.process, { name: 'Desk', role: 'owner' })).links;
  const at = link.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${way.port}`);
  let isValid = true;
  way.held.down = true;
  const { addNode } = nodesHandlers(others, () => 'ab'.repeat(32));
  const answered = Promise.resolve(addNode({ link: at, name: 'Shed', replace: false }, { isValid: () => isValid }));
  const refused = expect(answered).rejects.toMatchObject({ code: 'unauthorized' });
  await expect.poll(() => way.count(), WAIT).toBeGreaterThan(0);
  isValid = false;
  way.release();
  await refused;
  const { open, pairings } = await call(shed.process, 'door', {});
  expect([open?.name, pairings, others.list]).toEqual(['Desk', [], []]);
}, 120_000);

it('a client that is revoked meanwhile gets no answer of another node', async () => {
  const way = await carrier(await doorOf(shed.process));
  const [{ link } = { link: '' }] = (await openPairing(shed.process, { name: 'Desk', role: 'owner' })).links;
  const at = link.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${way.port}`);
  const { key } = { key: shed.process.started.publicKey };
  expect(await call(desk.process, 'addNode', { link: at, name: 'Shed', replace: false })).toMatchObject({
    problem: null,
  });
  const standing = async () => (await call(desk.process, 'nodes', {})).nodes[0]?.standing.state;
  await expect.poll(standing, WAIT).toBe('connected');
  const asked = { node: key, method: 'nodeInfo', input: {} };

  const { client, revoke } = await phone();
  expect(await outcome(client, 'callNode', asked)).toMatchObject({ status: 200 });
  way.held.down = true;
  const toPhone = outcome(client, 'callNode', asked);
  await expect.poll(() => way.count(), WAIT).toBeGreaterThan(0);
  await revoke();
  way.release();
  expect(await toPhone).toBeNull();

  way.held.up = true;
  const toDesk = call(desk.process, 'callNode', { node: key, method: 'overview', input: { dayStart: 0 } });
  await expect.poll(() => way.count(), WAIT).toBeGreaterThan(0);
  const [pairing] = (await call(shed.process, 'door', {})).pairings;
  await call(shed.process, 'revokePairing', { id: pairing!.id });
  way.release();
  expect(await toDesk).toMatchObject({ ok: false, error: 'disconnected' });
  await expect.poll(standing, WAIT).not.toBe('connected');
}, 180_000);
