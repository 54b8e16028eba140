import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Output } from '../../src/shared/owner-api/contract.ts';
import type { NodeStanding } from '../../src/shared/owner-api/nodes.ts';
import { NO_NOTES } from '../../src/shared/owner-data/notes.ts';
import { ownCertificate } from '../support/certificate.ts';
import { accept, handWritten, registeredDevice } from '../support/client.ts';
import { chainOf, DOOR_ENV, doorOf, openPairing } from '../support/door.ts';
import { ListeningImpostor } from '../support/listening-impostor.ts';
import { type RunningNode, removeFolder, startNode, temporaryFolder } from '../support/node-process.ts';
import { call, EventSocket, failure } from '../support/owner-client.ts';

const WAIT = { timeout: 90_000 };
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function folder(): string {
  const made = temporaryFolder();
  ends.push(() => removeFolder(made));
  return join(made, 'data');
}

/** A node with a door at loopback; `port` is that of the door. */
function startWithDoor(dataDir: string, port = '0'): Promise<RunningNode> {
  return startNode({ args: ['--ui'], dataDir, env: { ...DOOR_ENV, DOOR_PORT: port } });
}

/** The same until the test's end. */
async function node(dataDir = folder(), port = '0'): Promise<RunningNode> {
  const started = await startWithDoor(dataDir, port);
  ends.push(() => started.stop());
  return started;
}

async function impostor(options?: Parameters<typeof ListeningImpostor.open>[0]): Promise<ListeningImpostor> {
  const opened = await ListeningImpostor.open(options);
  ends.push(() => opened.close());
  return opened;
}

/** A link that pairs an app with a node. */
async function linkOf(of: RunningNode, role: 'owner' | 'viewer' = 'owner'): Promise<string> {
  return (await openPairing(of, { name: 'Desk', role })).links[0]!.link;
}

const portOf = async (of: RunningNode): Promise<string> => new URL(await doorOf(of)).port;

async function add(desk: RunningNode, link: string, replace = false): Promise<Output<'addNode'>> {
  return call(desk, 'addNode', { link, name: 'Shed', replace });
}

async function standing(desk: RunningNode): Promise<NodeStanding | undefined> {
  return (await call(desk, 'nodes', {})).nodes[0]?.standing;
}

const connected = (desk: RunningNode) => expect.poll(() => standing(desk), WAIT).toEqual({ state: 'connected' });

const overviewOf = (desk: RunningNode, of: RunningNode) =>
  call(desk, 'callNode', { node: of.started.publicKey, method: 'overview', input: { dayStart: 0 } });

it('an added node answers, sends events, and shows its last values while it is away', async () => {
  const [deskDir, shedDir] = [folder(), folder()];
  let [desk, shed] = [await node(deskDir), await node(shedDir)];
  const key = shed.started.publicKey;
  const link = await linkOf(shed);
  const look = await call(desk, 'lookAtNode', { link });
  expect(look).toMatchObject({ problem: null, id: key, url: await doorOf(shed) });
  // The code was not spent on that.
  expect((await call(shed, 'door', {})).open).not.toBeNull();
  expect(await add(desk, link)).toMatchObject({ problem: null, node: { id: key, name: 'Shed', role: 'owner' } });
  await connected(desk);

  const events = new EventSocket(desk);
  ends.push(() => events.close());
  await events.ready;
  const device = await registeredDevice(shed.url('local'));
  await accept(shed.url('local'), handWritten(device));
  const said = await events.next('nodeSaid', ({ event }) => event === 'readings');
  expect(said.payload).toEqual({ node: key, event: 'readings', payload: { devices: [device.id] } });
  const seen = await overviewOf(desk, shed);
  expect(seen).toMatchObject({ ok: true, seenAt: null, value: { devices: [{ id: device.id }] } });

  // One that is hidden there is in no list here.
  const hidden = await registeredDevice(shed.url('local'));
  await call(shed, 'setNotes', { id: hidden.id, notes: { ...NO_NOTES, isHidden: true } });
  expect(await overviewOf(desk, shed)).toMatchObject({
    value: { devices: [{ id: device.id }], hidden: [{ id: hidden.id }] },
  });

  const port = await portOf(shed);
  await shed.stop();
  await expect.poll(() => standing(desk), WAIT).toMatchObject({ state: 'away', since: expect.any(Number) });
  const kept = await overviewOf(desk, shed);
  expect(kept).toMatchObject({ ok: true, seenAt: expect.any(Number), value: { devices: [{ id: device.id }] } });

  // Also where this node was started again meanwhile.
  await desk.stop();
  desk = await node(deskDir);
  await expect.poll(() => standing(desk), WAIT).toMatchObject({ state: 'away', since: expect.any(Number) });
  expect(await overviewOf(desk, shed)).toMatchObject({ ok: true, value: { devices: [{ id: device.id }] } });

  shed = await node(shedDir, port);
  await connected(desk);
  expect(await overviewOf(desk, shed)).toMatchObject({ ok: true, seenAt: null });
}, 180_000);

it('a link to nothing, to this node or to something else has its own message', async () => {
  const [desk, shed] = [await node(), await node()];
  const link = await linkOf(shed);
  const wrong = link.replace(/code=\w{4}/, (code) => (code === 'code=AAAA' ? 'code=CCCC' : 'code=AAAA'));
  const { fingerprint, port } = await impostor();
  const other = `https://127.0.0.1:${port}/ui/#/pair?code=AAAA-CCCC&fingerprint=${fingerprint}`;
  const old = await impostor({ certificate: ownCertificate(['127.0.0.1'], 0) });
  const ended = `https://127.0.0.1:${old.port}/ui/#/pair?code=AAAA-CCCC&fingerprint=${old.fingerprint}`;
  for (const [given, problem] of [
    ['https://127.0.0.1:3443/ui/', 'link'],
    [link.replace(/fingerprint=\w{8}/, 'fingerprint=00000000'), 'certificate'],
    [ended, 'time'],
    [other, 'not_a_door'],
    [await linkOf(desk), 'itself'],
    [wrong, 'code'],
    [wrong, 'slow_down'],
  ] as const) {
    expect([problem, await add(desk, given)]).toEqual([problem, { problem }]);
  }
  expect(old.heard).toBe('');
  await shed.stop();
  expect(await add(desk, link)).toEqual({ problem: 'unreachable' });
  expect((await call(desk, 'nodes', {})).nodes).toEqual([]);
}, 120_000);

describe('two nodes', () => {
  const folders: string[] = [];
  let [desk, shed] = [] as unknown as [RunningNode, RunningNode];
  beforeAll(async () => {
    [desk, shed] = (await Promise.all(
      [0, 1].map((at) => {
        folders[at] = temporaryFolder();
        return startWithDoor(join(folders[at], 'data'));
      }),
    )) as [RunningNode, RunningNode];
  });
  afterEach(async () => {
    for (const { id } of (await call(desk, 'nodes', {})).nodes) await call(desk, 'removeNode', { id });
  });
  afterAll(async () => {
    for (const each of [desk, shed]) await each?.dispose();
    for (const each of folders) removeFolder(each);
  });

  it('the access to a node is in one file for its owner, and in no answer, no log and no diagnostics', async () => {
    const link = await linkOf(shed);
    await add(desk, link);
    await connected(desk);
    const file = join(desk.dataDir, 'nodes.json');
    const { token } = (JSON.parse(readFileSync(file, 'utf8')) as { nodes: [{ token: string }] }).nodes[0];
    expect(token.length).toBeGreaterThan(40);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    const { zip } = await call(desk, 'diagnostics', {});
    const code = new URLSearchParams(link.split('?')[1]).get('code')!;
    for (const secret of [token, code, code.replace('-', '')]) {
      expect(JSON.stringify(await call(desk, 'nodes', {}))).not.toContain(secret);
      expect(Buffer.from(zip, 'base64').includes(secret)).toBe(false);
      expect(desk.stdout + desk.stderr).not.toContain(secret);
    }
  }, 120_000);

  it('no call that could contain a key is passed on', async () => {
    await add(desk, await linkOf(shed));
    await connected(desk);
    const blob = Buffer.from('WELLHKEYSTORE').toString('base64');
    for (const [method, input] of [
      ['readKeystore', {}],
      ['writeKeystore', { blob, expectedRevision: null, replaceDamaged: true }],
      ['nodes', {}],
      ['openPairing', { name: 'x', role: 'owner', devices: null, mayUnlock: true }],
      ['overview', { dayStart: 0, blob }],
    ] as const) {
      const [status, answer] = await failure(desk, 'callNode', { node: shed.started.publicKey, method, input });
      expect([method, status, answer]).toMatchObject([method, 400, { ok: false, error: 'invalid_input' }]);
    }
  }, 120_000);

  it('a revoked token is reported as such, and a new link restores the access', async () => {
    await add(desk, await linkOf(shed));
    await connected(desk);
    for (const { id } of (await call(shed, 'door', {})).pairings) await call(shed, 'revokePairing', { id });
    await expect.poll(() => standing(desk), WAIT).toMatchObject({ state: 'refused', reason: 'token' });
    const again = await linkOf(shed, 'viewer');
    expect(await add(desk, again)).toEqual({ problem: 'known' });
    expect(await add(desk, again, true)).toMatchObject({ problem: null, node: { role: 'viewer' } });
    await connected(desk);
    expect((await call(desk, 'nodes', {})).nodes).toHaveLength(1);
    // What a viewer may not do is refused there, and passed on as that.
    const notes = { node: shed.started.publicKey, method: 'deleteJournalEntry', input: { id: 1 } } as const;
    expect(await call(desk, 'callNode', notes)).toMatchObject({ ok: false, error: 'forbidden' });
  }, 120_000);

  it('a removed node is forgotten, with its access and its last values', async () => {
    await add(desk, await linkOf(shed));
    await connected(desk);
    await overviewOf(desk, shed);
    await call(desk, 'removeNode', { id: shed.started.publicKey });
    expect((await call(desk, 'nodes', {})).nodes).toEqual([]);
    expect(await overviewOf(desk, shed)).toMatchObject({ ok: false, error: 'not_found' });
    for (const name of ['nodes.json', 'nodes-seen.json']) {
      await expect
        .poll(() => readFileSync(join(desk.dataDir, name), 'utf8'), WAIT)
        .not.toContain(shed.started.publicKey);
    }
  }, 120_000);

  it('another certificate at the same address is refused, and receives nothing', async () => {
    const link = await linkOf(shed);
    const [, authority] = await chainOf(await doorOf(shed));
    await add(desk, link);
    await connected(desk);
    const port = Number(await portOf(shed));
    await shed.stop();
    // It also shows what was pinned, which it has from the door, but did not sign by it.
    const swapped = await impostor({ port, alsoShown: authority!.pem });
    await expect.poll(() => standing(desk), WAIT).toMatchObject({ state: 'refused', reason: 'certificate' });
    expect(await call(desk, 'lookAtNode', { link })).toEqual({ problem: 'certificate' });
    expect(await add(desk, link, true)).toEqual({ problem: 'certificate' });
    expect(await overviewOf(desk, shed)).toMatchObject({ ok: false, error: 'disconnected' });
    expect(swapped.heard).toBe('');
  }, 120_000);
});
