import { afterEach, expect, it } from 'vitest';
import { CHALLENGE_PATH } from '../../src/shared/auth-challenge.ts';
import { chainOf, DOOR_ENV, DoorClient, doorOf, givePairingCode, openPairing, sendToDoor } from '../support/door.ts';
import { type NodeProcess, removeFolder, startProcess, temporaryFolder } from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';

const folder = temporaryFolder();
let node: NodeProcess;
afterEach(async () => {
  await node.dispose();
  removeFolder(folder);
});

const start = () => startProcess({ dataDir: `${folder}/data`, args: ['--ui'], env: DOOR_ENV });

it('a killed node keeps its pairings and its authority, and forgets an open code', async () => {
  node = await start();
  const phone = await DoorClient.pair(node, 'app', { name: 'Kept' });
  const lost = await DoorClient.pair(node, 'app', { name: 'Revoked' });
  const { pairings } = await call(node, 'door', {});
  await call(node, 'revokePairing', { id: pairings.find(({ name }) => name === 'Revoked')!.id });
  const authority = (await chainOf(phone.door)).at(-1)!;
  const { code } = await openPairing(node, { name: 'Never' });
  // While it is being paired: the answer may be lost, but what was answered holds.
  const answers = Array.from({ length: 3 }, () => givePairingCode(phone.door, code, 'app').catch(() => null));
  await Promise.race(answers);
  await node.kill();
  const paired = (await Promise.all(answers)).find((reply) => reply?.status === 200);
  node = await start();
  const door = await doorOf(node);
  expect((await chainOf(door)).at(-1)!.fingerprint).toBe(authority.fingerprint);
  expect(await new DoorClient(door, phone.headers).call('caller', {})).toMatchObject({ name: 'Kept' });
  expect((await new DoorClient(door, lost.headers).ask('caller', {})).status).toBe(401);
  if (paired !== undefined && paired !== null) {
    const { token } = (JSON.parse(paired.text) as { value: { token: string } }).value;
    const client = new DoorClient(door, { authorization: `Bearer ${token}` });
    expect(await client.call('caller', {})).toMatchObject({ name: 'Never' });
  }
  expect((await call(node, 'door', {})).open).toBeNull();
  expect((await givePairingCode(door, code, 'app')).status).toBe(401);
  // The certificate of the authority is what a client trusts; host names are checked as ever.
  const reply = await sendToDoor(`${door}${CHALLENGE_PATH}`, { ca: authority.pem });
  expect(reply.status).toBe(200);
  await expect(sendToDoor(door.replace('127.0.0.1', 'localhost'), { ca: authority.pem })).resolves.toMatchObject({
    status: 308,
  });
}, 120_000);
