import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ENDED_PATH, readPairingLink } from '../../src/shared/pairing-link.ts';
import {
  chainOf,
  cookieOf,
  DOOR_ENV,
  DoorClient,
  doorOf,
  givePairingCode,
  openPairing,
  sendToDoor,
} from '../support/door.ts';
import { runningNode } from '../support/node-process.ts';
import { call, failure } from '../support/owner-client.ts';
import { slowness } from '../support/pace.ts';

const node = runningNode({ args: ['--ui'], env: DOOR_ENV });

/** Wrong whatever the code is: the right one with its first character exchanged. */
function wrong(code: string): string {
  return (code.startsWith('A') ? 'C' : 'A') + code.slice(1);
}

it('a code pairs one browser, which then uses only its cookie; the disk has only a hash of its token', async () => {
  const door = await doorOf(node.process);
  const { code, fingerprint, links } = await openPairing(node.process, { name: 'My phone' });
  expect(readPairingLink(links[0]!.link)).toEqual({ origin: door, code, fingerprint });
  expect((await chainOf(door)).at(-1)!.fingerprint).toBe(fingerprint);
  const reply = await givePairingCode(door, code, 'browser');
  expect(reply.status, reply.text).toBe(200);
  expect(JSON.parse(reply.text).value).toMatchObject({ name: 'My phone', role: 'owner', token: null });
  expect(String(reply.headers['set-cookie'])).toMatch(
    /^__Host-wellhouse=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; Secure; SameSite=Strict$/,
  );
  const phone = new DoorClient(door, { cookie: cookieOf(reply), origin: door });
  expect(await phone.call('caller', {})).toEqual({
    role: 'owner',
    name: 'My phone',
    isBounded: false,
    mayUnlock: false,
    mayLog: true,
  });
  expect((await givePairingCode(door, code, 'browser', { from: '127.0.0.2' })).status).toBe(401);
  const onDisk = readFileSync(join(node.process.dataDir, 'door.json'), 'utf8');
  expect(onDisk).toContain('My phone');
  expect(onDisk).not.toContain(cookieOf(reply).split('=')[1]);
  const { pairings } = await call(node.process, 'door', {});
  const listed = pairings.find(({ name }) => name === 'My phone')!;
  expect(listed).toMatchObject({ kind: 'browser', lastAddress: '127.0.0.1', isThis: false });
  expect(Date.now() - listed.lastUsedAt!).toBeLessThan(60_000);
});

it('an app gets its token once, and uses it as a bearer token; a page gets none', async () => {
  const desk = await DoorClient.pair(node.process, 'app', { name: 'Desk' });
  expect(desk.answer).toMatchObject({ node: node.process.started.publicKey, role: 'owner' });
  expect(await desk.call('caller', {})).toMatchObject({ name: 'Desk' });
  const { code } = await openPairing(node.process);
  const asPage = await givePairingCode(desk.door, code, 'app', { headers: { origin: desk.door } });
  expect([asPage.status, asPage.text]).toEqual([403, '{"ok":false,"error":"forbidden","details":"origin"}']);
});

it('a revoked browser learns when it was revoked, and a stranger learns nothing', async () => {
  const phone = await DoorClient.pair(node.process, 'browser', { name: 'Shut out' });
  const ask = async (headers: Record<string, string>) => {
    const reply = await sendToDoor(`${phone.door}${ENDED_PATH}`, {
      ...{ method: 'POST', body: '{}' },
      headers: { 'content-type': 'application/json', ...headers },
    });
    return JSON.parse(reply.text).value;
  };
  const own = phone.headers;
  expect(await ask(own)).toEqual({ endedAt: null });
  const { pairings } = await call(node.process, 'door', {});
  await call(node.process, 'revokePairing', { id: pairings.find(({ name }) => name === 'Shut out')!.id });
  expect(await ask(own)).toEqual({ endedAt: expect.any(Number) });
  expect(await ask({ origin: phone.door, cookie: `__Host-wellhouse=${'A'.repeat(43)}` })).toEqual({ endedAt: null });
  // Another page has the cookie sent along, and is not told.
  expect(await ask({ ...own, origin: 'https://elsewhere.example' })).not.toMatchObject({ endedAt: expect.any(Number) });
});

it('wrong codes cause longer and longer delays, and the right code stays valid', async () => {
  const door = await doorOf(node.process);
  const { code } = await openPairing(node.process, { name: 'Guessed at' });
  const from = '127.0.0.3';
  let [tried, triedAt] = [0, 0];
  while (tried < 5) {
    const askedAt = performance.now();
    const reply = await givePairingCode(door, wrong(code), 'browser', { from });
    expect([401, 429]).toContain(reply.status);
    const delay = tried === 0 ? 0 : 2 ** (tried - 1);
    // A busy machine may have waited out a part of the delay, or all of it.
    const passed = (performance.now() - triedAt) / 1000;
    if (reply.status === 401) {
      expect(passed).toBeGreaterThanOrEqual(delay);
      [tried, triedAt] = [tried + 1, askedAt];
      continue;
    }
    const seconds = Number(reply.headers['retry-after']);
    expect(seconds).toBeLessThanOrEqual(delay);
    expect(seconds).toBeGreaterThanOrEqual(delay - passed);
    await setTimeout(seconds * 1000);
  }
  expect(await call(node.process, 'door', {})).toMatchObject({ open: { wrongTries: 5 }, wasGuessed: false });
  expect((await givePairingCode(door, code, 'browser', { from: '127.0.0.4' })).status).toBe(200);
}, 120_000);

it('a revoked client loses calls and open sockets within a second; others stay', async () => {
  const [lost, kept] = [
    await DoorClient.pair(node.process, 'browser', { name: 'Lost' }),
    await DoorClient.pair(node.process, 'app', { name: 'Kept' }),
  ];
  const sockets = [lost.events(), kept.events()];
  for (const { ready } of sockets) await ready;
  const { pairings } = await call(node.process, 'door', {});
  const before = performance.now();
  await call(node.process, 'revokePairing', { id: pairings.find(({ name }) => name === 'Lost')!.id });
  expect(await sockets[0]!.ended).toBe(4401);
  expect(performance.now() - before).toBeLessThan(1000 * slowness());
  expect((await lost.ask('overview', { dayStart: 0 })).status).toBe(401);
  await expect(lost.events().ready).rejects.toThrow();
  expect((await kept.ask('overview', { dayStart: 0 })).status).toBe(200);
  expect(sockets[1]!.socket.readyState).toBe(1);
  sockets[1]!.socket.terminate();
});

it('only a client with the right to open keys can grant it, and a pairing ends when its client leaves', async () => {
  const phone = await DoorClient.pair(node.process, 'browser', { name: 'No keys' });
  const offer = { name: 'More', role: 'owner', devices: null, mayUnlock: true } as const;
  expect((await phone.ask('openPairing', offer)).answer).toMatchObject({ ok: false, error: 'forbidden' });
  expect((await phone.ask('readKeystore', {})).answer).toMatchObject({ ok: false, error: 'forbidden' });
  const trusted = await DoorClient.pair(node.process, 'browser', { name: 'With keys', mayUnlock: true });
  expect(await trusted.call('readKeystore', {})).toMatchObject({ blob: null });
  await trusted.call('leave', {});
  expect((await trusted.ask('caller', {})).status).toBe(401);
  const [status] = await failure(node.process, 'leave', {});
  expect(status).toBe(409);
});

it('a code is only for existing devices: an owner sees all devices, and keys are for owners', async () => {
  for (const offer of [
    { name: 'x', role: 'owner', devices: ['ab'.repeat(32)], mayUnlock: false },
    { name: 'x', role: 'viewer', devices: null, mayUnlock: true },
    { name: '  ', role: 'viewer', devices: null, mayUnlock: false },
    { name: 'x', role: 'viewer', devices: [], mayUnlock: false },
  ]) {
    expect(await failure(node.process, 'openPairing', offer)).toMatchObject([400, { error: 'invalid_input' }]);
  }
});

it('an open code is shown again to the machine itself and to its creator, not to other owners', async () => {
  const offer = { name: 'Tablet', role: 'owner', devices: null, mayUnlock: true } as const;
  const trusted = await DoorClient.pair(node.process, 'browser', { name: 'Trusted', mayUnlock: true });
  const other = await DoorClient.pair(node.process, 'browser', { name: 'Without keys' });
  const viewer = await DoorClient.pair(node.process, 'app', { name: 'Viewer', role: 'viewer' });
  expect(await call(node.process, 'shownPairing', {})).toBeNull();

  const made = await openPairing(node.process, offer);
  const shown = await call(node.process, 'shownPairing', {});
  expect(shown).toEqual({ ...made, leftMs: expect.any(Number) });
  expect((await call(node.process, 'door', {})).open).toMatchObject({ name: 'Tablet', isShown: true });
  for (const client of [trusted, other]) {
    expect(await client.call('shownPairing', {})).toBeNull();
    const view = await client.call('door', {});
    expect(view.open).toMatchObject({ name: 'Tablet', isShown: false });
    expect(JSON.stringify(view)).not.toContain(made.code);
  }
  expect((await viewer.ask('shownPairing', {})).answer).toMatchObject({ ok: false, error: 'forbidden' });

  const own = await trusted.call('openPairing', offer);
  expect(own.code).not.toBe(made.code);
  for (const shownNow of [await trusted.call('shownPairing', {}), await call(node.process, 'shownPairing', {})]) {
    expect(shownNow).toMatchObject({ code: own.code, links: own.links });
  }
  expect(await other.call('shownPairing', {})).toBeNull();
  await other.call('closePairing', {});
  expect(await trusted.call('shownPairing', {})).toBeNull();
});

it('a code is closed when its creator is revoked', async () => {
  const trusted = await DoorClient.pair(node.process, 'app', { name: 'Lent phone' });
  const { code } = await trusted.call('openPairing', { name: 'x', role: 'owner', devices: null, mayUnlock: false });
  const { pairings } = await call(node.process, 'door', {});
  await call(node.process, 'revokePairing', { id: pairings.find(({ name }) => name === 'Lent phone')!.id });
  expect((await call(node.process, 'door', {})).open).toBeNull();
  expect((await givePairingCode(await doorOf(node.process), code, 'app')).status).toBe(401);
});
