import { describe, expect, test } from 'vitest';
import { exchange, type Reply, send } from '../support/http.ts';
import { ENDPOINTS, runningNode } from '../support/node-process.ts';

const node = runningNode({ env: { LOCAL_ALLOWED_HOSTS: 'well.lan, Other-Name.example, 203.0.113.7, 2001:DB8::7' } });
const port = () => new URL(node.url('local')).port;
/** Replaced by the port of the local endpoint. */
const PORT = '{port}';

function withHeaders(endpoint: 'public' | 'local', headers: Record<string, string>): Promise<Reply> {
  const filled = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replaceAll(PORT, port())]),
  );
  return send(`${node.url(endpoint)}/health`, { headers: filled });
}

function expectForbidden(reply: Reply, error: string): void {
  expect(reply.status, reply.text).toBe(403);
  expect(reply.json).toEqual({ error });
}

const GOOD_HOSTS = [
  'localhost',
  'LocalHost',
  'localhost:3001',
  '127.0.0.1',
  '127.0.0.1:3001',
  '127.8.9.1',
  '10.77.0.1:8080',
  '192.168.1.5',
  '100.64.0.9:65535',
  '[::1]',
  '[::1]:3001',
  '[fd00::2]:8080',
  '[FE80::1]',
  'well.lan',
  'WELL.LAN',
  'well.lan:8080',
  'other-name.example',
  '172.31.255.1',
  '169.254.9.9',
  '[::ffff:192.168.1.5]',
  '203.0.113.7:8080',
  '[2001:db8:0:0::7]:8080',
];

const BAD_HOSTS = [
  'evil.example',
  'evil.example:3001',
  'localhost.evil.example',
  'notlocalhost',
  'localhost-evil',
  '127.0.0.1.evil.example',
  'sub.well.lan',
  'well.lan.evil.example',
  'xwell.lan',
  '0.0.0.0',
  '0.0.0.0:3001',
  '[::]',
  '[::]:3001',
  '[0:0:0:0:0:0:0:0]',
  '256.1.1.1',
  '1.2.3.4.5',
  '[zz::1]',
  '[::1',
  'evil@localhost',
  'localhost@evil.example',
  'localhost, evil.example',
  'localhost/evil.example',
  'localhost:evil',
  ':3001',
  // Addresses of the internet that the owner has not listed.
  '203.0.113.8',
  '8.8.8.8:3001',
  '172.32.0.1',
  '100.128.0.1',
  '[2001:db8::8]',
  '[::ffff:203.0.113.8]',
  '[::ffff:0.0.0.0]',
];

describe('Host, on the local endpoint', () => {
  test.each(GOOD_HOSTS)('%s is allowed', async (host) => {
    expect((await withHeaders('local', { host })).status).toBe(200);
  });

  test.each(BAD_HOSTS)('%s is not allowed', async (host) => {
    expectForbidden(await withHeaders('local', { host }), 'host_not_allowed');
  });

  test.each([
    ['without Host, HTTP/1.1', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['without Host, HTTP/1.0', 'GET /health HTTP/1.0\r\n\r\n'],
    ['with an empty Host', 'GET /health HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n'],
  ])('%s is not allowed', async (_what, text) => {
    const answer = await exchange(node.url('local'), text);
    expect(answer).toMatch(/^HTTP\/1\.[01] 403 /);
    expect(answer).toContain('{"error":"host_not_allowed"}');
  });
});

describe('Origin and Sec-Fetch-Site, on the local endpoint', () => {
  test.each([
    ['the same host and port', `127.0.0.1:${PORT}`, `http://127.0.0.1:${PORT}`],
    ['the same name', `localhost:${PORT}`, `http://localhost:${PORT}`],
    ['the same name in other case', `LocalHost:${PORT}`, `http://localhost:${PORT}`],
    ['the default port on both', 'localhost', 'http://localhost'],
    ['the same IPv6 address', '[::1]:8080', 'http://[::1]:8080'],
    ["the tunnel's own address", '10.77.0.1:8080', 'http://10.77.0.1:8080'],
  ])('%s is allowed', async (_what, host, origin) => {
    expect((await withHeaders('local', { host, origin })).status).toBe(200);
  });

  test.each([
    'http://evil.example',
    'https://evil.example',
    `http://evil.example:${PORT}`,
    'http://127.0.0.1',
    'http://127.0.0.1:1',
    `http://localhost:${PORT}`,
    `http://127.0.0.1:${PORT}.evil.example`,
    `http://evil.example@127.0.0.2:${PORT}`,
    'null',
    'file://',
    'app://wellhouse',
    'chrome-extension://abcdef',
    'nonsense',
  ])('%s is not allowed', async (origin) => {
    expectForbidden(await withHeaders('local', { host: `127.0.0.1:${PORT}`, origin }), 'origin_not_allowed');
  });

  test('a request marked cross-site is not allowed, with an Origin or without', async () => {
    expectForbidden(await withHeaders('local', { 'sec-fetch-site': 'cross-site' }), 'origin_not_allowed');
    const origin = `http://127.0.0.1:${PORT}`;
    expectForbidden(await withHeaders('local', { 'sec-fetch-site': 'cross-site', origin }), 'origin_not_allowed');
  });

  test.each(['same-origin', 'none'])('Sec-Fetch-Site: %s is allowed', async (site) => {
    expect((await withHeaders('local', { 'sec-fetch-site': site })).status).toBe(200);
  });
});

const REQUESTS = [
  ['GET', '/health'],
  ['GET', '/v1/devices'],
  ['GET', `/v1/devices/${'ab'.repeat(32)}`],
  ['GET', `/v1/devices/${'ab'.repeat(32)}/telemetry`],
  ['POST', '/v1/devices'],
  ['POST', '/v1/telemetry'],
  ['GET', '/openapi.json'],
  ['GET', '/nowhere'],
  ['DELETE', '/v1/devices'],
  ['OPTIONS', '/v1/devices'],
] as const;

describe.each(REQUESTS)('%s %s', (method, path) => {
  const body = method === 'GET' ? {} : { body: 'no JSON', contentType: 'text/plain' };

  test('are checked before anything else on the local endpoint', async () => {
    const foreign = { method, headers: { host: 'evil.example' }, ...body };
    expectForbidden(await send(node.url('local') + path, foreign), 'host_not_allowed');
    const crossing = { method, headers: { origin: 'http://evil.example' }, ...body };
    expectForbidden(await send(node.url('local') + path, crossing), 'origin_not_allowed');
  });

  test('are not checked on the public endpoint', async () => {
    for (const headers of [
      { host: 'evil.example' },
      { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' },
    ]) {
      expect((await send(node.url('public') + path, { method, headers, ...body })).status).not.toBe(403);
    }
  });

  test.each(ENDPOINTS)('never sends CORS headers, %s endpoint', async (endpoint) => {
    const headers = { origin: node.url(endpoint), 'access-control-request-method': 'POST' };
    const reply = await send(node.url(endpoint) + path, { method, headers, ...body });
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});

describe('a request that something on this machine forwards, on the local endpoint', () => {
  const HEADERS = [
    'Forwarded',
    'X-Forwarded-For',
    'x-forwarded-proto',
    'X-Forwarded-Anything',
    'X-Real-IP',
    'Via',
    'Tailscale-User-Login',
    'CF-Connecting-IP',
    'cf-ray',
    'X-Forwarded',
    'X_Forwarded_For',
    'X_Real_IP',
    'X-Original-Forwarded-For',
    'True-Client-IP',
    ...['WL-Proxy-Client-IP', 'X-NF-Client-Connection-IP', 'X-Remote-Addr', 'X-Source-IP', 'CloudFront-Viewer-Address'],
    ...['X-Appengine-User-IP', 'X-Forward-For', 'X-Original-Host', 'Ali-CDN-Real-IP', 'X-Amzn-Trace-Id'],
    'X-Client-IP',
    'X-Cluster-Client-IP',
    'Fly-Client-IP',
    'CDN-Loop',
    'Client-IP',
    'X-Envoy-External-Address',
    'Fastly-Client-IP',
    'X-Azure-ClientIP',
    'X-Azure-SocketIP',
    'X-Vercel-Forwarded-For',
  ];

  test.each(HEADERS)('is refused with %s', async (name) => {
    expectForbidden(await withHeaders('local', { host: '127.0.0.1', [name]: '1' }), 'forwarded_request');
    expectForbidden(await withHeaders('local', { host: 'localhost:{port}', [name]: '' }), 'forwarded_request');
  });

  test.each(HEADERS)('is served with %s if the owner listed its Host', async (name) => {
    expect((await withHeaders('local', { host: 'well.lan:8080', [name]: '1' })).status).toBe(200);
  });

  test.each(['X-Forwarder', 'Forwarded-By', 'Viable', 'X-Real', 'CFO', 'Tailscale', 'Client-IP-X', 'X_Forwarder'])(
    '%s is no such header',
    async (name) => {
      expect((await withHeaders('local', { host: '127.0.0.1', [name]: '1' })).status).toBe(200);
    },
  );

  test('is refused before its Origin is checked, and after its Host', async () => {
    const origin = 'http://evil.example';
    expectForbidden(await withHeaders('local', { host: '127.0.0.1', via: '1', origin }), 'forwarded_request');
    expectForbidden(await withHeaders('local', { host: 'evil.example', via: '1', origin }), 'host_not_allowed');
  });

  test('does not apply to the public endpoint', async () => {
    expect((await withHeaders('public', { via: '1', 'x-forwarded-for': '1.2.3.4' })).status).toBe(200);
  });
});
