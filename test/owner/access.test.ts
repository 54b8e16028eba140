import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { METHODS } from '../../src/shared/owner-api/contract.ts';
import { post, send } from '../support/http.ts';
import {
  removeFolder,
  runningNode,
  runToEnd,
  startNode,
  startProcess,
  temporaryFolder,
} from '../support/node-process.ts';
import { sendCall, uiToken } from '../support/owner-client.ts';

const ROUTES: readonly [method: string, path: string][] = [
  ['GET', '/ui'],
  ['GET', '/ui/'],
  ['GET', '/ui/index.html'],
  ['GET', '/ui/api/events'],
  ...Object.keys(METHODS).map((name): [string, string] => ['POST', `/ui/api/${name}`]),
];
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

describe('without --ui', () => {
  const node = runningNode();

  it.each(ROUTES)('there is no %s %s, on either endpoint', async (method, path) => {
    for (const endpoint of ['local', 'public'] as const) {
      const body = method === 'POST' ? { body: '{}' } : {};
      const reply = await send(`${node.url(endpoint)}${path}`, { method, ...body });
      expect([reply.status, reply.json]).toEqual([404, { error: 'not_found' }]);
    }
    expect(existsSync(join(node.process.dataDir, 'ui-token'))).toBe(false);
  });
});

describe('with --ui', () => {
  const node = runningNode({ args: ['--ui'] });
  const local = () => node.url('local');
  const authorization = () => `Bearer ${uiToken(node.process)}`;

  it.each(ROUTES)('the public endpoint has no %s %s', async (method, path) => {
    const body = method === 'POST' ? { body: '{}' } : {};
    const reply = await send(`${node.url('public')}${path}`, {
      method,
      headers: { authorization: authorization() },
      ...body,
    });
    expect([reply.status, reply.json]).toEqual([404, { error: 'not_found' }]);
  });

  it('the token is 32 random bytes in a file only for the owner, and in no output', () => {
    expect(uiToken(node.process)).toMatch(TOKEN);
    if (process.platform !== 'win32') {
      expect(statSync(join(node.process.dataDir, 'ui-token')).mode & 0o777).toBe(0o600);
    }
    expect(node.process.stdout + node.process.stderr).not.toContain(uiToken(node.process));
  });

  it.each([
    ['no token', () => ({})],
    ['a wrong token', () => ({ authorization: `Bearer ${'A'.repeat(43)}` })],
    ['half of the token', () => ({ authorization: authorization().slice(0, -20) })],
    ['the token and more', () => ({ authorization: `${authorization()}A` })],
    ['another scheme', () => ({ authorization: authorization().replace('Bearer', 'Basic') })],
    ['the bare token', () => ({ authorization: uiToken(node.process) })],
    ['a cookie', () => ({ cookie: `token=${uiToken(node.process)}` })],
  ])('%s opens no owner call, and no events without an upgrade', async (_name, headers) => {
    const unauthorized = { ok: false, error: 'unauthorized' };
    // Nobody is told which methods there are, so two show what a wrong header opens.
    const methods = Object.keys(headers()).length === 0 ? Object.keys(METHODS) : ['nodeInfo', 'writeKeystore'];
    for (const method of methods) {
      const reply = await post(`${local()}/ui/api/${method}`, {}, { headers: headers() });
      expect([reply.status, reply.json, reply.headers['www-authenticate']]).toEqual([401, unauthorized, 'Bearer']);
    }
    const events = await send(`${local()}/ui/api/events`, { headers: headers() });
    expect([events.status, events.json]).toEqual([401, unauthorized]);
    const inQuery = await post(`${local()}/ui/api/nodeInfo?token=${uiToken(node.process)}`, {}, { headers: headers() });
    expect(inQuery.status).toBe(401);
  });

  it('a stranger learns nothing about a call: neither whether it exists, nor what is wrong with it', async () => {
    for (const [path, body] of [
      ['noSuchMethod', '{}'],
      ['overview', 'no JSON'],
    ]) {
      const reply = await send(`${local()}/ui/api/${path}`, { method: 'POST', body: body! });
      expect([reply.status, reply.json]).toEqual([401, { ok: false, error: 'unauthorized' }]);
    }
  });

  it('the page itself loads without a token', async () => {
    const reply = await send(`${local()}/ui/`);
    expect(reply.status).toBe(200);
    expect(reply.text).not.toContain(uiToken(node.process));
  });

  it.each([
    ['another origin', { origin: 'http://evil.example' }],
    ['no origin of its own', { origin: 'null' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:1' }],
    ['elsewhere, as the browser says', { 'sec-fetch-site': 'cross-site' }],
  ])('a call, the events and the page are refused to a page of %s, token or not', async (_name, headers) => {
    const call = await sendCall(node.process, 'nodeInfo', '{}', headers);
    expect([call.status, call.json]).toEqual([403, { error: 'origin_not_allowed' }]);
    for (const path of ['/ui/', '/ui/api/events']) {
      const reply = await send(`${local()}${path}`, { headers: { authorization: authorization(), ...headers } });
      expect([reply.status, reply.json]).toEqual([403, { error: 'origin_not_allowed' }]);
    }
    expect(call.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('a name that could be rebound is refused, but a forwarded port is not', async () => {
    const rebound = await sendCall(node.process, 'nodeInfo', '{}', { host: 'rebound.example:3001' });
    expect([rebound.status, rebound.json]).toEqual([403, { error: 'host_not_allowed' }]);
    const forwarded = { host: 'localhost:8080', origin: 'http://localhost:8080', 'sec-fetch-site': 'same-origin' };
    expect((await sendCall(node.process, 'nodeInfo', '{}', forwarded)).status).toBe(200);
    expect((await send(`${local()}/ui/`, { headers: { host: '127.0.0.1:8080' } })).status).toBe(200);
  });

  it('does not change the description of the protocol', async () => {
    expect((await send(`${local()}/openapi.json`)).text).not.toContain('/ui');
  });
});

describe('the token', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = temporaryFolder();
  });
  afterEach(() => removeFolder(dataDir));

  async function start(...args: string[]) {
    const node = await startNode({ dataDir, args: ['--ui', ...args] });
    const token = uiToken(node);
    const port = new URL(node.url('local')).port;
    const isAccepted = async (authorization: string) =>
      (await sendCall(node, 'nodeInfo', '{}', { authorization: `Bearer ${authorization}` })).status === 200;
    return { node, token, port, isAccepted };
  }

  it('survives restarts, is shown only on request, and is replaced on request', async () => {
    const first = await start();
    expect(await first.isAccepted(first.token)).toBe(true);
    await first.node.stop();

    const second = await start('--print-link');
    expect(second.token).toBe(first.token);
    await second.node.stop();
    const link = `http://127.0.0.1:${second.port}/ui/#token=${first.token}`;
    expect(second.node.stdout.split('\n').filter((line) => line.includes(first.token))).toEqual([
      `The owner's view: ${link}`,
    ]);
    expect(second.node.stderr).toBe('');

    const third = await start('--new-ui-token');
    expect(third.token).toMatch(TOKEN);
    expect(third.token).not.toBe(first.token);
    expect(await third.isAccepted(first.token)).toBe(false);
    expect(await third.isAccepted(third.token)).toBe(true);
    await third.node.stop();
    expect(third.node.stdout).not.toContain(third.token);
  });

  it.skipIf(process.platform === 'win32')('is closed to other users again', async () => {
    await (await start()).node.stop();
    const path = join(dataDir, 'ui-token');
    chmodSync(path, 0o644);
    const again = await start();
    await again.node.stop();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it.each(['', 'short\n', `${'a'.repeat(42)}!\n`])(
    '%j in its file stops the start, and stays as it was',
    async (text) => {
      const path = join(dataDir, 'ui-token');
      writeFileSync(path, text, { mode: 0o600 });
      const exit = await runToEnd({ dataDir, args: ['--ui'] });
      expect(exit.code).toBe(1);
      expect(exit.stderr).toMatch(/^wellhouse: .*ui-token.*--new-ui-token.*\n$/);
      expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );

  it('--new-ui-token without --ui is refused', async () => {
    const exit = await runToEnd({ dataDir, args: ['--new-ui-token'] });
    expect([exit.code, exit.stderr]).toEqual([1, 'wellhouse: --new-ui-token needs --ui\n']);
  });

  it.each([[['--print-link']], [['--ui', '--print-link']]])(
    '%j prints the link of the running node, on any port, and leaves it running',
    async (args) => {
      const { node, token, port, isAccepted } = await start();
      const exit = await runToEnd({ dataDir, args, env: { LOCAL_PORT: '1', PUBLIC_PORT: '2' } });
      const link = `http://127.0.0.1:${port}/ui/#token=${token}`;
      expect(exit).toMatchObject({ code: 0, stdout: `The owner's view: ${link}\n`, stderr: '' });
      expect(await isAccepted(token)).toBe(true);
      await node.stop();
    },
  );

  it('--print-link prints the new port of a node whose port was changed while it runs', async () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const server = createServer().listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    const free = await promise;
    await new Promise((closed) => server.close(closed));
    const env = { LOCAL_PORT: '' };
    const node = await startNode({ dataDir, args: ['--ui'], env, settings: { localPort: 0 } });
    const reply = await sendCall(node, 'setSettings', JSON.stringify({ change: { localPort: free } }));
    expect(reply.status, reply.text).toBe(200);
    const exit = await runToEnd({ dataDir, args: ['--print-link'] });
    expect(exit.stdout).toBe(`The owner's view: http://127.0.0.1:${free}/ui/#token=${uiToken(node)}\n`);
    await node.stop();
  });

  it('--print-link says if no node runs, also after a kill, and if it has no page', async () => {
    const absent = await runToEnd({ dataDir, args: ['--print-link'] });
    expect([absent.code, absent.stdout, absent.stderr]).toEqual([1, '', expect.stringContaining('no Wellhouse node')]);
    await (await startProcess({ dataDir, args: ['--ui'] })).kill();
    const killed = await runToEnd({ dataDir, args: ['--print-link'] });
    expect([killed.code, killed.stderr]).toEqual([1, expect.stringContaining('no Wellhouse node runs')]);
    const plain = await startNode({ dataDir });
    const without = await runToEnd({ dataDir, args: ['--print-link'] });
    expect([without.code, without.stderr]).toEqual([1, expect.stringContaining("has no owner's view")]);
    await plain.stop();
  });
});
