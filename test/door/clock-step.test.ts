import { generateKeyPairSync, sign } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Node } from '../../src/main/node/node.ts';
import { type AuthChallenge, authText, CHALLENGE_PATH, VERIFY_PATH } from '../../src/shared/auth-challenge.ts';
import { registeredDevice } from '../support/client.ts';
import { ask, FakeMachine, startOn } from '../support/clocked-node.ts';
import { chainOf, DOOR_ENV, DoorClient, givePairingCode, sendToDoor } from '../support/door.ts';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const YEAR = 365 * 24 * HOUR;
const JSON_TYPE = { 'content-type': 'application/json' };

let dataDir: string;
let machine: FakeMachine;
let node: Node;
let door: string;
beforeEach(async () => {
  dataDir = temporaryFolder();
  machine = new FakeMachine();
  machine.synchronised = true;
  node = await startOn(machine, dataDir, DOOR_ENV);
  // The system has had the time for long enough.
  machine.pass(15 * MINUTE);
  await expect.poll(async () => (await ask(node, 'nodeInfo', {})).clock.state, { timeout: 30_000 }).toBe('known');
  const { door: standing } = await ask(node, 'door', {});
  if (standing.state !== 'listening') throw new Error(`the door is not open: ${JSON.stringify(standing)}`);
  door = `https://${standing.address}:${standing.port}`;
});
afterEach(async () => {
  await node.stop();
  removeFolder(dataDir);
});

async function challenge(): Promise<AuthChallenge> {
  return JSON.parse((await sendToDoor(`${door}${CHALLENGE_PATH}`)).text) as AuthChallenge;
}

/** Whether two times are equal, with a tolerance for a busy machine. */
const isNear = (at: number, time: number) => Math.abs(at - time) < 2 * MINUTE;

it('sessions, certificate and challenges stay valid while the clock is a year ahead, and end in time', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
  await registeredDevice(node.urls.localUrl, { ownerPubkey: key });
  await ask(node, 'setDoorKeys', { keys: [key] });
  const made = await challenge();
  const signature = sign(null, authText(made), privateKey).toString('hex');
  const body = JSON.stringify({ publicKey: key, challenge: made.challenge, signature });
  const reply = await sendToDoor(`${door}${VERIFY_PATH}`, { method: 'POST', body, headers: JSON_TYPE });
  const { token, expiresAt } = JSON.parse(reply.text) as { token: string; expiresAt: number };
  expect(isNear(expiresAt, machine.time + 12 * HOUR)).toBe(true);
  const client = new DoorClient(door, { authorization: `Bearer ${token}` });
  const [shown] = await chainOf(door);

  machine.error = YEAR;
  expect((await client.ask('caller', {})).status).toBe(200);
  const { pairings } = await ask(node, 'door', {});
  expect(pairings).toHaveLength(1);
  expect(isNear(pairings[0]!.lastUsedAt!, machine.time)).toBe(true);
  expect(isNear((await challenge()).expiresAt, machine.time)).toBe(true);
  expect((await chainOf(door))[0]).toEqual(shown);
  machine.error = -YEAR;
  expect((await client.ask('caller', {})).status).toBe(200);
  machine.pass(12 * HOUR);
  expect((await client.ask('caller', {})).status).toBe(401);
}, 120_000);

it('a code is open for ten minutes, and delays are the same, however the clock is set', async () => {
  const offer = { name: 'Phone', role: 'viewer', devices: null, mayUnlock: false } as const;
  const { code } = await ask(node, 'openPairing', offer);
  const wrong = code.startsWith('A') ? `C${code.slice(1)}` : `A${code.slice(1)}`;
  // However long the next requests take, the delay of a second is not over.
  machine.stop();
  expect((await givePairingCode(door, wrong, 'app')).status).toBe(401);
  machine.error = YEAR;
  expect((await givePairingCode(door, wrong, 'app')).status).toBe(429);
  machine.pass(2 * MINUTE);
  expect((await ask(node, 'door', {})).open).toMatchObject({ wrongTries: 1 });
  expect((await givePairingCode(door, code, 'app')).status).toBe(200);
  await ask(node, 'openPairing', offer);
  machine.error = -YEAR;
  machine.pass(10 * MINUTE);
  expect((await ask(node, 'door', {})).open).toBeNull();
}, 120_000);
