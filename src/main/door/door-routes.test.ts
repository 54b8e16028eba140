import { generateKeyPairSync, sign } from 'node:crypto';
import fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { removeFolder, temporaryFolder } from '../../../test/support/node-process.ts';
import { type AuthChallenge, authText, CHALLENGE_PATH, VERIFY_PATH } from '../../shared/auth-challenge.ts';
import { ENDED_PATH, PAIR_PATH } from '../../shared/pairing-link.ts';
import type { OwnerService } from '../owner/api/service.ts';
import type { Caller } from '../owner/caller.ts';
import { COMMON_HEADERS } from '../owner/page/ui-page.ts';
import { Challenges } from './challenges.ts';
import { keepingCookie } from './door-access.ts';
import { doorRoutes } from './door-routes.ts';
import { OpenPairing } from './pairing/open-pairing.ts';
import { Pairings } from './pairing/pairings.ts';
import { Patience } from './pairing/patience.ts';
import type { DoorTls } from './tls/certificate.ts';

const OFFER = { name: 'Phone', role: 'viewer', devices: null, mayUnlock: false, mayLog: true } as const;
const ADDRESS = '192.168.1.5';
const NODE = 'cd'.repeat(32);
const START = Date.UTC(2026, 5, 1);
const ORIGIN = { origin: 'https://door.lan' };
const INDEX = { bytes: Buffer.from('<html>'), contentType: 'text/html', isImmutable: false, hash: '', encoded: {} };
const CA = '-----BEGIN CERTIFICATE-----\nTQ==\n-----END CERTIFICATE-----\n';
/** Answers each call with the caller's name. */
const callJson = async ({ pairing }: Caller) => ({ ok: true, json: JSON.stringify(pairing?.name) });
const SERVICE = { listen: () => () => {}, warmUp: () => {}, calls: { callJson } };

let dataDir: string;
let clock: FakeClock;
let app: FastifyInstance;
let openPairing: OpenPairing;
let pairings: Pairings;
let paired: unknown[];
let refused: unknown[];
let letIn: unknown[];

beforeEach(() => {
  dataDir = temporaryFolder();
  clock = new FakeClock(START);
  app = fastify();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  openPairing = new OpenPairing(clock, () => {});
  pairings = new Pairings(dataDir, clock, pino({ enabled: false }));
  [paired, refused, letIn] = [[], [], []];
  doorRoutes(app, {
    ...{ pairings, openPairing, clock, challenges: new Challenges(clock) },
    patience: new Patience(() => clock.steady()),
    service: SERVICE as unknown as OwnerService,
    files: () => new Map([['index.html', INDEX]]),
    nodePublicKey: () => NODE,
    tls: () => ({ facts: { authority: CA } }) as DoorTls,
    letIn: (socket) => letIn.push(socket),
    paired: (each) => paired.push(each),
    refused: (...each) => refused.push(each),
  });
});
afterEach(async () => {
  await app.close();
  openPairing.close();
  await pairings.close();
  removeFolder(dataDir);
});

const SENT = { 'content-type': 'application/json', host: 'door.lan' };
const send = (url: string, payload: string, headers: Record<string, string> = {}, remoteAddress = ADDRESS) =>
  app.inject({ method: 'POST', url, remoteAddress, payload, headers: { ...SENT, ...headers } });
const post = (url: string, body: object, remoteAddress = ADDRESS) => send(url, JSON.stringify(body), {}, remoteAddress);
const get = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ url, remoteAddress: ADDRESS, headers: { host: 'door.lan', ...headers } });
const pair = (code: string) => post(PAIR_PATH, { code, as: 'app' });
const pairBrowser = (code: string, headers: Record<string, string> = ORIGIN) =>
  send(PAIR_PATH, JSON.stringify({ code, as: 'browser' }), headers);
const outcome = (reply: LightMyRequestResponse) => [reply.statusCode, reply.json()];
const UNWRITTEN = expect.stringMatching(/door\.json can't be written \(.+\)$/);

/** Makes an owner's key that opens the door. */
async function allowedKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
  await pairings.setKeys([key]).written;
  return { key, privateKey };
}

/** Asks for a challenge and answers it with a key, as `as`. */
async function verify({ key, privateKey }: Awaited<ReturnType<typeof allowedKey>>, as = key) {
  const made: AuthChallenge = (await get(CHALLENGE_PATH)).json();
  const signature = sign(null, authText(made), privateKey).toString('hex');
  return post(VERIFY_PATH, { publicKey: as, challenge: made.challenge, signature });
}

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
  expect((await verify(await allowedKey())).statusCode).toBe(200);
  expect(await waitAfterWrongCode()).toBe('1');
});

it('a wrong signature makes its address wait, and no other one', async () => {
  const wrong = { publicKey: 'ab'.repeat(32), challenge: 'ab'.repeat(32), signature: 'ab'.repeat(64) };
  expect(outcome(await post(VERIFY_PATH, wrong))).toEqual([401, { error: 'unauthorized' }]);
  const second = await post(VERIFY_PATH, wrong);
  expect([outcome(second), second.headers['retry-after']]).toEqual([[429, { error: 'rate_limited' }], '1']);
  expect((await post(VERIFY_PATH, wrong, '192.168.1.6')).statusCode).toBe(401);
  expect(refused).toEqual([ADDRESS, '192.168.1.6'].map((address) => ['wrong_key', address]));
});

describe('a code', () => {
  const rights = { name: 'Phone', role: 'viewer', node: NODE, mayUnlock: false };
  const kept = { ...OFFER, endsAt: null, ownerKey: null, createdAt: START, lastUsedAt: START, lastAddress: ADDRESS };
  const made = { id: expect.any(String), tokenHash: expect.any(String) };

  it('gives an app a token, and no cookie', async () => {
    const reply = await pair(openPairing.open(OFFER, null));
    const { token } = reply.json().value;
    expect(outcome(reply)).toEqual([200, { ok: true, value: { ...rights, token } }]);
    expect(reply.headers).toMatchObject({ 'cache-control': 'no-store', ...COMMON_HEADERS });
    expect(reply.headers).not.toHaveProperty('set-cookie');
    expect(pairings.all).toEqual([{ ...made, ...kept, kind: 'app' }]);
    const { id } = pairings.all[0]!;
    expect(pairings.callerOf(token, ADDRESS)?.pairing?.id).toBe(id);
    expect(paired).toEqual([{ id, name: 'Phone', kind: 'app', role: 'viewer', ownerKey: null, address: ADDRESS }]);
    expect([refused, openPairing.state]).toEqual([[], null]);
  });

  it('gives the door’s own page a cookie, and no token', async () => {
    const more = { role: 'owner', mayUnlock: true } as const;
    const reply = await pairBrowser(openPairing.open({ ...OFFER, ...more }, null));
    expect(outcome(reply)).toEqual([200, { ok: true, value: { ...rights, ...more, token: null } }]);
    const token = /=([^;]+)/.exec(String(reply.headers['set-cookie']))![1]!;
    expect(reply.headers['set-cookie']).toBe(keepingCookie(token));
    expect(pairings.all).toEqual([{ ...made, ...kept, ...more, kind: 'browser' }]);
    expect(paired).toMatchObject([{ kind: 'browser', role: 'owner' }]);
  });

  it('is not even tried if the call is not right', async () => {
    const long = { code: openPairing.open(OFFER, null).padEnd(41), as: 'app' };
    const wrong = [{ as: 'app' }, long, { code: 'A', as: 'phone' }, { code: 'A', as: 'app', token: 'x' }];
    for (const body of ['{', '', ...wrong.map((each) => JSON.stringify(each))]) {
      const reply = await send(PAIR_PATH, body);
      expect(outcome(reply), body).toEqual([400, { ok: false, error: 'invalid_input' }]);
      expect(reply.headers['cache-control']).toBe('no-store');
    }
    for (const path of [PAIR_PATH, VERIFY_PATH, ENDED_PATH]) {
      expect((await send(path, ' '.repeat(1024))).statusCode).not.toBe(413);
      expect((await send(path, ' '.repeat(1025))).statusCode).toBe(413);
    }
    expect([openPairing.state?.wrongTries, refused]).toEqual([0, []]);
  });

  it('is of no use to a page that is not the door’s', async () => {
    const code = openPairing.open(OFFER, null);
    const forbidden = [403, { ok: false, error: 'forbidden', details: 'origin' }];
    for (const headers of [{}, { origin: 'https://evil.example' }, { origin: 'http://door.lan' }])
      expect(outcome(await pairBrowser(code, headers))).toEqual(forbidden);
    expect(outcome(await send(PAIR_PATH, JSON.stringify({ code, as: 'app' }), ORIGIN))).toEqual(forbidden);
    expect([openPairing.codeFor(null), pairings.all, refused]).toEqual([code, [], []]);
  });

  it('that is wrong is reported, and makes its address wait even with the right one', async () => {
    const code = openPairing.open(OFFER, null);
    const reply = await pair('A'.repeat(40));
    expect(outcome(reply)).toEqual([401, { ok: false, error: 'unauthorized', details: 'wrong_code' }]);
    const waits = await pair(code);
    expect([outcome(waits), waits.headers['retry-after']]).toEqual([[429, { error: 'rate_limited' }], '1']);
    expect([refused, paired, openPairing.state?.wrongTries]).toEqual([[['wrong_code', ADDRESS]], [], 1]);
    await clock.pass(1000, async () => {});
    expect((await pair(code)).statusCode).toBe(200);
  });

  it('pairs nobody if the pairing can’t be written', async () => {
    removeFolder(dataDir);
    const reply = await pair(openPairing.open(OFFER, null));
    expect(outcome(reply)).toEqual([503, { ok: false, error: 'storage_unavailable', details: UNWRITTEN }]);
    expect([pairings.all, paired]).toEqual([[], []]);
    pairings.add = () => Promise.reject(new Error('a defect'));
    expect((await pair(openPairing.open(OFFER, null))).statusCode).toBe(500);
  });
});

describe('a signature', () => {
  it('of an owner’s key opens a session of twelve hours', async () => {
    const challenge = await get(CHALLENGE_PATH);
    const told = { challenge: expect.stringMatching(/^[0-9a-f]{64}$/), node: NODE, purpose: 'door' };
    expect(outcome(challenge)).toEqual([200, { ...told, expiresAt: START + 60_000 }]);
    expect(challenge.headers).toMatchObject({ ...COMMON_HEADERS, 'cache-control': 'no-store' });
    const made = await allowedKey();
    const reply = await verify(made);
    const [{ key }, { token }, endsAt] = [made, reply.json(), START + 12 * 3_600_000];
    expect(outcome(reply)).toEqual([200, { token, role: 'owner', expiresAt: endsAt }]);
    expect(reply.headers['cache-control']).toBe('no-store');
    const name = `Key ${key.slice(0, 8)}`;
    const { id, tokenHash, ...kept } = pairings.all[0]!;
    expect(kept).toEqual({
      ...{ name, role: 'owner', devices: null, mayUnlock: false, mayLog: false, kind: 'key', ownerKey: key, endsAt },
      ...{ createdAt: START, lastUsedAt: START, lastAddress: ADDRESS },
    });
    expect(paired).toEqual([{ id, name, kind: 'key', role: 'owner', ownerKey: key, address: ADDRESS }]);
    expect([pairings.callerOf(token, ADDRESS)?.pairing?.id, refused]).toEqual([id, []]);
  });

  it('of another key, or for another key, opens nothing', async () => {
    const [removed, made] = [await allowedKey(), await allowedKey()];
    for (const tried of [() => verify(removed), () => verify(removed, made.key), () => verify(made, removed.key)]) {
      expect(outcome(await tried())).toEqual([401, { error: 'unauthorized' }]);
      await clock.pass(10_000, async () => {});
    }
    expect([pairings.all, paired, refused]).toEqual([[], [], Array(3).fill(['wrong_key', ADDRESS])]);
  });

  it('is not even checked if the call is not right', async () => {
    const whole = { publicKey: 'ab'.repeat(32), challenge: 'ab'.repeat(32), signature: 'ab'.repeat(64) };
    const wrong = (text: string) => [`${text}a`, `x${text}`, text.slice(1), text.toUpperCase()];
    const texts = Object.entries(whole).flatMap(([name, text]) => wrong(text).map((each) => ({ [name]: each })));
    for (const change of [...texts, { more: 1 }, { signature: undefined }]) {
      const reply = await post(VERIFY_PATH, { ...whole, ...change });
      expect(outcome(reply), JSON.stringify(change)).toEqual([400, { error: 'validation_error' }]);
      expect([reply.headers['cache-control'], refused]).toEqual(['no-store', []]);
    }
  });

  it('opens no session that can’t be written', async () => {
    const made = await allowedKey();
    removeFolder(dataDir);
    expect(outcome(await verify(made))).toEqual([503, { error: 'storage_unavailable' }]);
    expect([pairings.all, paired]).toEqual([[], []]);
    pairings.add = () => Promise.reject(new Error('a defect'));
    expect((await verify(made)).statusCode).toBe(500);
  });
});

describe('the owner’s view', () => {
  const cookie = (token: string) => ({ cookie: `__Host-wellhouse=${token}` });
  const add = () => pairings.add({ ...OFFER, kind: 'browser', endsAt: null, ownerKey: null });

  it('is at /ui/, and has the certificate of the authority', async () => {
    const moved = { statusCode: 308, headers: { location: '/ui/', ...COMMON_HEADERS } };
    expect(await get('/')).toMatchObject(moved);
    const type = { ...COMMON_HEADERS, 'cache-control': 'no-store', 'content-type': 'application/x-x509-ca-cert' };
    const headers = { ...type, 'content-disposition': 'attachment; filename="wellhouse-ca.crt"' };
    expect(await get('/ui/wellhouse-ca.crt')).toMatchObject({ statusCode: 200, body: CA, headers });
  });

  it('renews the cookie of a paired browser at each visit, and no other', async () => {
    const { token, pairing } = await add();
    const renewed = async (reply: Promise<LightMyRequestResponse>) => (await reply).headers['set-cookie'];
    expect(await renewed(get('/ui/', cookie(token)))).toBe(keepingCookie(token));
    expect(pairings.all[0]).toMatchObject({ lastUsedAt: START, lastAddress: ADDRESS });
    const others = [get('/ui/'), get('/ui/', cookie('A'.repeat(43))), get('/ui', cookie(token))];
    for (const reply of [...others, send(ENDED_PATH, '', cookie(token))]) expect(await renewed(reply)).toBeUndefined();
    expect(await renewed(app.inject({ method: 'HEAD', url: '/ui/', headers: cookie(token) }))).toBeUndefined();
    await pairings.revoke(pairing.id);
    expect(await renewed(get('/ui/', cookie(token)))).toBeUndefined();
  });

  it('answers the calls of paired clients alone', async () => {
    const { token } = await add();
    const call = (headers: Record<string, string>) => send('/ui/api/overview', '{}', headers);
    const elsewhere = await call({ ...cookie(token), origin: 'https://evil.example' });
    expect([elsewhere.statusCode, letIn.length]).toEqual([401, 0]);
    const answer = await call({ ...cookie(token), ...ORIGIN });
    expect([outcome(answer), letIn.length]).toEqual([[200, { ok: true, value: 'Phone' }], 1]);
  });

  it('tells a browser whose pairing the owner revoked when that was, and no other page', async () => {
    const { token, pairing } = await add();
    const ended = async (headers: Record<string, string>) => outcome(await send(ENDED_PATH, '', headers));
    const never = [200, { ok: true, value: { endedAt: null } }];
    expect((await send(ENDED_PATH, '')).headers['cache-control']).toBe('no-store');
    expect(await ended({ ...cookie(token), ...ORIGIN })).toEqual(never);
    await pairings.revoke(pairing.id);
    expect(await ended({ ...cookie(token), ...ORIGIN })).toEqual([200, { ok: true, value: { endedAt: START } }]);
    for (const headers of [{}, ORIGIN, cookie(token), { ...cookie('A'.repeat(43)), ...ORIGIN }])
      expect(await ended(headers)).toEqual(never);
  });
});
