import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { type AuthChallenge, authText, CHALLENGE_PATH, VERIFY_PATH } from '../../shared/auth-challenge.ts';
import { PAIR_PATH } from '../../shared/pairing-link.ts';
import type { OwnerService } from '../owner/api/service.ts';
import { Challenges } from './challenges.ts';
import { doorRoutes } from './door-routes.ts';
import { OpenPairing } from './pairing/open-pairing.ts';
import { Pairings } from './pairing/pairings.ts';
import { Patience } from './pairing/patience.ts';
import type { DoorTls } from './tls/certificate.ts';

const OFFER = { name: 'Phone', role: 'viewer', devices: null, mayUnlock: false, mayLog: false } as const;
const ADDRESS = '192.168.1.5';

let dataDir: string;
let clock: FakeClock;
let app: FastifyInstance;
let openPairing: OpenPairing;
let pairings: Pairings;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'wellhouse-door-'));
  clock = new FakeClock(Date.UTC(2026, 5, 1));
  app = fastify();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  openPairing = new OpenPairing(clock, () => {});
  pairings = new Pairings(dataDir, clock, pino({ enabled: false }));
  doorRoutes(app, {
    pairings,
    openPairing,
    clock,
    challenges: new Challenges(clock),
    patience: new Patience(() => clock.steady()),
    service: { listen: () => () => {} } as unknown as OwnerService,
    files: () => new Map(),
    nodePublicKey: () => 'cd'.repeat(32),
    tls: () => ({}) as DoorTls,
    letIn: () => {},
    paired: () => {},
    refused: () => {},
  });
});
afterEach(async () => {
  await app.close();
  openPairing.close();
  await pairings.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const post = (url: string, body: object, remoteAddress = ADDRESS) =>
  app.inject({ method: 'POST', url, remoteAddress, payload: JSON.stringify(body), headers: JSON_TYPE });
const JSON_TYPE = { 'content-type': 'application/json' };
const pair = (code: string) => post(PAIR_PATH, { code, as: 'app' });

/** Gives wrong codes until the address has to wait for four seconds, and waits. */
async function tryThreeTimes(): Promise<void> {
  for (const seconds of [1, 2, 4]) {
    expect((await pair('AAAAAAAA')).statusCode).toBe(401);
    expect((await pair('AAAAAAAA')).headers['retry-after']).toBe(String(seconds));
    await clock.pass(seconds * 1000, async () => {});
  }
}

/** Gives a wrong code; resolves with the seconds that the address has to wait after it. */
async function waitAfterWrongCode(): Promise<string | undefined> {
  expect((await pair('AAAAAAAA')).statusCode).toBe(401);
  return (await pair('AAAAAAAA')).headers['retry-after'] as string | undefined;
}

it('after a right code, the next wrong one of the address costs only a second', async () => {
  await tryThreeTimes();
  expect((await pair(openPairing.open(OFFER, null))).statusCode).toBe(200);
  expect(await waitAfterWrongCode()).toBe('1');
});

it('after a right signature, the next wrong code of the address costs only a second', async () => {
  await tryThreeTimes();
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
  await pairings.setKeys([key]).written;
  const made: AuthChallenge = (await app.inject({ url: CHALLENGE_PATH, remoteAddress: ADDRESS })).json();
  const signature = sign(null, authText(made), privateKey).toString('hex');
  const answer = await post(VERIFY_PATH, { publicKey: key, challenge: made.challenge, signature });
  expect(answer.statusCode).toBe(200);
  expect(await waitAfterWrongCode()).toBe('1');
});

it('a wrong signature makes its address wait, and no other one', async () => {
  const wrong = { publicKey: 'ab'.repeat(32), challenge: 'ab'.repeat(32), signature: 'ab'.repeat(64) };
  expect((await post(VERIFY_PATH, wrong)).statusCode).toBe(401);
  expect((await post(VERIFY_PATH, wrong)).headers['retry-after']).toBe('1');
  expect((await post(VERIFY_PATH, wrong, '192.168.1.6')).statusCode).toBe(401);
});
