import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  nodeProofText,
  PROVE_PATH,
  type ProofAnswer,
  pageProofText,
  proofKeys,
  proofOf,
} from '../../src/shared/owner-api/proof.ts';
import { post, send } from '../support/http.ts';
import { runningNode, startNode } from '../support/node-process.ts';
import { closeCode, EventSocket, sendCall, uiToken } from '../support/owner-client.ts';

/** Computed with Python's hmac and hashlib, and so that nobody changes them unnoticed: pages and nodes must agree. */
const KNOWN = {
  token: 'rRjXb-_AJMdall9dS_1Youqq6asH-kJCrX4rNTI_rBA',
  host: '127.0.0.1:3001',
  nonce: '0f'.repeat(32),
  server: 'a5'.repeat(32),
  id: '53be5f5a34a1abb3',
  nodeProof: '8da241c92cbac49881899f4629e0187db5cd1108daeb32b3f33d6a0de6d98d98',
  pageProof: 'f0a644f9c29977b70e7bbbc58b5964dd50f5ddc53bb873d4c75363e1ce91ad80',
};

describe('the proofs', () => {
  it('are the known ones', () => {
    const { host, nonce, server } = KNOWN;
    const keys = proofKeys(KNOWN.token);
    expect(keys.id).toBe(KNOWN.id);
    expect(proofOf(keys.node, nodeProofText(host, nonce, server))).toBe(KNOWN.nodeProof);
    expect(proofOf(keys.page, pageProofText(host, server))).toBe(KNOWN.pageProof);
  });
});

describe('a node with --ui', () => {
  const node = runningNode({ args: ['--ui'] });
  const url = () => `${node.url('local')}${PROVE_PATH}`;
  const host = () => new URL(url()).host;
  const keys = () => proofKeys(uiToken(node.process));

  async function prove(headers: Record<string, string> = {}): Promise<ProofAnswer & { nonce: string }> {
    const nonce = randomBytes(32).toString('hex');
    const reply = await post(url(), { nonce }, { headers });
    expect(reply.status).toBe(200);
    expect(reply.headers['cache-control']).toBe('no-store');
    return { ...(reply.json as { value: ProofAnswer }).value, nonce };
  }

  it('proves that it knows the token, differently for each nonce and host', async () => {
    for (const given of [host(), 'localhost:8080']) {
      const { nonce, server, proof } = await prove({ host: given });
      expect(proof).toBe(proofOf(keys().node, nodeProofText(given, nonce, server)));
    }
    expect((await prove()).proof).not.toBe((await prove()).proof);
  });

  it.each([{}, { nonce: 'ab' }, { nonce: 'A'.repeat(64) }, { nonce: 1 }, null, []])(
    'answers %j with 400',
    async (body) => {
      const reply = await post(url(), body);
      expect([reply.status, reply.json]).toEqual([400, { ok: false, error: 'invalid_input' }]);
    },
  );

  it('answers no other page, and does not answer on the public endpoint', async () => {
    const nonce = randomBytes(32).toString('hex');
    expect((await post(url(), { nonce }, { headers: { origin: 'http://127.0.0.1:1' } })).status).toBe(403);
    expect((await post(`${node.url('public')}${PROVE_PATH}`, { nonce })).status).toBe(404);
  });

  it('accepts a page’s proof as its bearer token, for calls and events, for the proof’s host', async () => {
    const { server } = await prove();
    const bearer = proofOf(keys().page, pageProofText(host(), server));
    const call = (headers: Record<string, string>) =>
      sendCall(node.process, 'nodeInfo', '{}', { authorization: `Bearer ${bearer}`, ...headers });
    expect((await call({})).status).toBe(200);
    expect((await call({ host: '127.0.0.1:1' })).status).toBe(401);
    const events = new EventSocket(node.process, bearer);
    await events.ready;
    events.close();
    // What the node itself says is no bearer.
    const { proof } = await prove();
    for (const wrong of [proof, server]) {
      expect((await call({ authorization: `Bearer ${wrong}` })).status).toBe(401);
      const socket = new EventSocket(node.process, wrong);
      expect(await closeCode(socket.socket)).toBe(4401);
    }
  });

  it('refuses a bearer token of an earlier start', async () => {
    const first = await startNode({ args: ['--ui'] });
    const { origin, host: name } = new URL(first.url('local'));
    const server = async () =>
      ((await post(`${origin}${PROVE_PATH}`, { nonce: '0'.repeat(64) })).json as { value: ProofAnswer }).value.server;
    const token = uiToken(first);
    const bearer = proofOf(proofKeys(token).page, pageProofText(name, await server()));
    const isTaken = async () =>
      (await post(`${origin}/ui/api/nodeInfo`, {}, { headers: { authorization: `Bearer ${bearer}` } })).status === 200;
    expect(await isTaken()).toBe(true);
    await first.stop();
    const again = await startNode({
      dataDir: first.dataDir,
      args: ['--ui'],
      env: { LOCAL_PORT: new URL(origin).port },
    });
    expect(uiToken(again)).toBe(token);
    expect(await isTaken()).toBe(false);
    await again.dispose();
    await first.dispose();
  });
});

describe('the script of a service worker', () => {
  const node = runningNode();

  it.each(['/sw.js', '/', '/ui/sw.js', '/v1/devices', '/health?x'])(
    'is a script that unregisters itself at %s, only on the local endpoint',
    async (path) => {
      const headers = { 'service-worker': 'script' };
      const reply = await send(`${node.url('local')}${path}`, { headers });
      expect(reply.status).toBe(200);
      expect(reply.headers).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'service-worker-allowed': '/',
        'cache-control': 'no-store',
      });
      expect(reply.text).toContain('registration.unregister()');
      expect((await send(`${node.url('public')}${path}`, { headers })).text).not.toContain('unregister');
      const foreign = await send(`${node.url('local')}${path}`, { headers: { ...headers, host: 'rebound.example' } });
      expect(foreign.status).toBe(403);
    },
  );
});
