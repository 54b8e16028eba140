import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { expect, it } from 'vitest';
import { type AuthChallenge, authText, CHALLENGE_PATH, VERIFY_PATH } from '../../src/shared/auth-challenge.ts';
import { registeredDevice } from '../support/client.ts';
import { DOOR_ENV, DoorClient, type DoorReply, doorOf, sendToDoor } from '../support/door.ts';
import { runningProcess } from '../support/node-process.ts';
import { call, failure } from '../support/owner-client.ts';

/** A signal sets the clock that the node reads thirteen hours forward. */
const SETS_CLOCK = `data:text/javascript,${encodeURIComponent(`
  const now = Date.now;
  process.on('SIGUSR2', () => { Date.now = () => now() + 13 * 3_600_000; });
`)}`;
const node = runningProcess({ args: ['--ui'], env: DOOR_ENV, execArgv: ['--import', SETS_CLOCK] });

interface OwnerKey {
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

function newKey(): OwnerKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const der = publicKey.export({ format: 'der', type: 'spki' });
  return { publicKey: der.subarray(-32).toString('hex'), privateKey };
}

/** Each test guesses from an address of its own, since a wrong try makes an address wait. */
const addresses = Array.from({ length: 100 }, (_, index) => `127.0.1.${index + 10}`).values();
const nextAddress = () => addresses.next().value!;

async function challenge(from: string): Promise<AuthChallenge> {
  const { status, text } = await sendToDoor(`${await doorOf(node.process)}${CHALLENGE_PATH}`, { from });
  expect(status).toBe(200);
  return JSON.parse(text) as AuthChallenge;
}

async function answer(
  made: AuthChallenge,
  { publicKey, privateKey }: OwnerKey,
  from: string,
  signed: AuthChallenge = made,
): Promise<DoorReply> {
  const signature = sign(null, authText(signed), privateKey).toString('hex');
  return sendToDoor(`${await doorOf(node.process)}${VERIFY_PATH}`, {
    method: 'POST',
    body: JSON.stringify({ publicKey, challenge: made.challenge, signature }),
    headers: { 'content-type': 'application/json' },
    from,
  });
}

/** An owner of a device of this node, whose key the owner lets in. */
async function allowedKey(): Promise<OwnerKey> {
  const key = newKey();
  await registeredDevice(node.url('local'), { ownerPubkey: key.publicKey });
  await call(node.process, 'setDoorKeys', { keys: [key.publicKey] });
  return key;
}

it('an owner whose key is admitted gets a token for twelve hours, which ends when the key is removed', async () => {
  const [key, from] = [await allowedKey(), nextAddress()];
  const made = await challenge(from);
  expect(made).toMatchObject({ node: node.process.started.publicKey, purpose: 'door' });
  expect(made.challenge).toMatch(/^[0-9a-f]{64}$/);
  expect(Math.abs(made.expiresAt - Date.now() - 60_000)).toBeLessThan(20_000);
  const reply = await answer(made, key, from);
  expect(reply.status, reply.text).toBe(200);
  const { token } = JSON.parse(reply.text) as { token: string };
  const client = new DoorClient(await doorOf(node.process), { authorization: `Bearer ${token}` });
  expect(await client.call('caller', {})).toMatchObject({ role: 'owner', mayUnlock: false });
  const socket = client.events();
  await socket.ready;
  await call(node.process, 'setDoorKeys', { keys: [] });
  expect(await socket.ended).toBe(4401);
  expect((await client.ask('caller', {})).status).toBe(401);
});

it('a challenge can be answered once, with any result', async () => {
  const [key, from, other] = [await allowedKey(), nextAddress(), nextAddress()];
  const made = await challenge(from);
  expect((await answer(made, key, from)).status).toBe(200);
  const triedAt = performance.now();
  expect((await answer(made, key, other)).status).toBe(401);
  const again = await challenge(from);
  const { status } = await answer(again, newKey(), other);
  // On a busy machine the wait of a second may be over.
  expect(performance.now() - triedAt < 1000 ? [429] : [401, 429]).toContain(status);
  expect((await answer(again, newKey(), nextAddress())).status).toBe(401);
  expect((await answer(again, key, nextAddress())).status).toBe(401);
});

it('a signature is valid only for this node, purpose, time and challenge', async () => {
  const key = await allowedKey();
  const changes: Partial<AuthChallenge>[] = [
    { node: 'ab'.repeat(32) },
    { purpose: 'other' as 'door' },
    { expiresAt: 1 },
    { challenge: 'ab'.repeat(32) },
  ];
  for (const change of changes) {
    const from = nextAddress();
    const made = await challenge(from);
    expect([change, (await answer(made, key, from, { ...made, ...change })).status]).toEqual([change, 401]);
  }
});

it('an owner without a device, or without admission, gets no token', async () => {
  const stranger = newKey();
  const from = nextAddress();
  expect((await answer(await challenge(from), stranger, from)).status).toBe(401);
  expect(await failure(node.process, 'setDoorKeys', { keys: [stranger.publicKey] })).toMatchObject([404, {}]);
  // Anybody may register a device that names a key: that alone lets nobody in.
  await registeredDevice(node.url('local'), { ownerPubkey: stranger.publicKey });
  const elsewhere = nextAddress();
  expect((await answer(await challenge(elsewhere), stranger, elsewhere)).status).toBe(401);
});

// Last, as the node's clock is wrong from then on. There are no such signals on Windows.
it.skipIf(process.platform === 'win32')('what a key opened ends by itself, with its open sockets', async () => {
  const [key, from] = [await allowedKey(), nextAddress()];
  const made = await challenge(from);
  const { token } = JSON.parse((await answer(made, key, from)).text) as { token: string };
  const client = new DoorClient(await doorOf(node.process), { authorization: `Bearer ${token}` });
  const phone = await DoorClient.pair(node.process, 'app', { name: 'Stays' });
  const sockets = [client.events(), phone.events()];
  for (const { ready } of sockets) await ready;
  node.process.signal('SIGUSR2');
  expect(await sockets[0]!.ended).toBe(4401);
  expect((await client.ask('caller', {})).status).toBe(401);
  expect(sockets[1]!.socket.readyState).toBe(1);
  expect(await phone.call('caller', {})).toMatchObject({ name: 'Stays' });
  sockets[1]!.socket.terminate();
});
