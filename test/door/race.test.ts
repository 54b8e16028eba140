import { request } from 'node:https';
import { expect, it } from 'vitest';
import { PAIR_PATH } from '../../src/shared/pairing-link.ts';
import { DOOR_ENV, DoorClient, doorOf, givePairingCode, openPairing, sendToDoor } from '../support/door.ts';
import { runningNode } from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';

const node = runningNode({ args: ['--ui'], env: { ...DOOR_ENV, PUBLIC_RATE_LIMIT: '0' } });

/** Wrong whatever the code is: the right one with its first character exchanged. */
function wrong(code: string): string {
  return (code.startsWith('A') ? 'C' : 'A') + code.slice(1);
}

/** Addresses of this machine that nobody has guessed from yet. */
const unused = Array.from({ length: 200 }, (_, index) => `127.0.2.${index + 1}`).values();
const addresses = (count: number): string[] => Array.from({ length: count }, () => unused.next().value!);

/** Gives codes at once, each from an address; resolves with the statuses, sorted: 0 where the node cut the connection. */
async function atOnce(tries: readonly { code: string; from: string }[]): Promise<number[]> {
  const door = await doorOf(node.process);
  const statusOf = async ({ code, from }: { code: string; from: string }) =>
    (await givePairingCode(door, code, 'app', { from }).catch(() => ({ status: 0 }))).status;
  return (await Promise.all(tries.map(statusOf))).sort((a, b) => a - b);
}

async function namesPaired(): Promise<string[]> {
  return (await call(node.process, 'door', {})).pairings.map(({ name }) => name);
}

it('of fifty simultaneous wrong codes from one address only one is checked', async () => {
  const { code } = await openPairing(node.process);
  const [from] = addresses(1) as [string];
  const before = performance.now();
  const statuses = await atOnce(Array.from({ length: 50 }, () => ({ code: wrong(code), from })));
  // Of too many handshakes at once from an address some are cut.
  const looked = statuses.filter((status) => status !== 0 && status !== 429);
  // On a busy machine they come so late that the waits of one, two and four seconds are over.
  const seconds = (performance.now() - before) / 1000;
  expect(looked.length).toBeLessThanOrEqual(1 + Math.floor(Math.log2(1 + seconds)));
  expect(new Set(looked)).toEqual(new Set([401]));
  expect((await call(node.process, 'door', {})).open).toMatchObject({ wrongTries: looked.length });
});

it('fifty simultaneous wrong codes from fifty addresses are counted, and the right one stays valid', async () => {
  const { code } = await openPairing(node.process, { name: 'Guessed at' });
  const statuses = await atOnce(addresses(50).map((from) => ({ code: wrong(code), from })));
  expect(new Set(statuses)).toEqual(new Set([401]));
  expect(await call(node.process, 'door', {})).toMatchObject({ open: { wrongTries: 50 }, wasGuessed: false });
  expect(await atOnce(addresses(1).map((from) => ({ code, from })))).toEqual([200]);
  expect(await namesPaired()).toContain('Guessed at');
});

it('four simultaneous wrong codes do not hinder the right one', async () => {
  const { code } = await openPairing(node.process, { name: 'Among wrong ones' });
  const tries = addresses(5).map((from, index) => ({ code: index === 2 ? code : wrong(code), from }));
  expect(await atOnce(tries)).toEqual([200, 401, 401, 401, 401]);
  expect((await namesPaired()).filter((name) => name === 'Among wrong ones')).toHaveLength(1);
});

it('a code that is used twenty times at once pairs one client', async () => {
  const { code } = await openPairing(node.process, { name: 'Only one' });
  const statuses = await atOnce(addresses(20).map((from) => ({ code, from })));
  expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 401)]);
  expect((await namesPaired()).filter((name) => name === 'Only one')).toHaveLength(1);
});

it('a body that is longer than any call is refused, also without a stated length', async () => {
  const viewer = await DoorClient.pair(node.process, 'app', { role: 'viewer' });
  const { code } = await openPairing(node.process);
  const { door } = viewer;
  const json = { 'content-type': 'application/json' };
  const long = (bytes: number) => JSON.stringify({ code, as: 'app', more: 'x'.repeat(bytes) });
  const post = (path: string, bytes: number, headers: Record<string, string> = {}) =>
    sendToDoor(`${door}${path}`, { method: 'POST', body: long(bytes), headers: { ...json, ...headers } });
  expect((await post(PAIR_PATH, 2000)).status).toBe(413);
  expect((await post('/v1/auth/verify', 2000)).status).toBe(413);
  expect((await post('/ui/api/overview', 2 * 1024 ** 2, viewer.headers)).status).toBe(413);
  const chunked = await new Promise<number>((resolve) => {
    const options = { method: 'POST', headers: { ...json, ...viewer.headers }, rejectUnauthorized: false };
    const outgoing = request(`${door}/ui/api/overview`, options, ({ statusCode }) => resolve(statusCode!));
    outgoing.on('error', () => resolve(0));
    for (let sent = 0; sent < 32; sent++) outgoing.write('x'.repeat(64 * 1024));
    outgoing.end();
  });
  expect([413, 0]).toContain(chunked);
  const socket = viewer.events();
  await socket.ready;
  socket.socket.send('x'.repeat(4096));
  expect(await socket.ended).toBe(1009);
  // The code is as good as before.
  expect((await givePairingCode(door, code, 'app')).status).toBe(200);
});

it('an unknown method is refused', async () => {
  const viewer = await DoorClient.pair(node.process, 'app', { role: 'viewer' });
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    expect([name, (await viewer.ask(name, {})).status]).toEqual([name, 404]);
  }
});
