import { describe, expect, test } from 'vitest';
import { EVENTS_PATH } from '../../src/shared/owner-api/socket.ts';
import { DOOR_ENV, doorOf, sendToDoor } from '../support/door.ts';
import { exchange } from '../support/http.ts';
import { ENDPOINTS, runningNode } from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';

const node = runningNode({ args: ['--ui'], env: { ...DOOR_ENV, GATE_ADDRESS: '127.0.0.1', GATE_PORT: '0' } });

const ID = 'ab'.repeat(32);
const KEY = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
const VERSION = 'Sec-WebSocket-Version: 13\r\n';
const UPGRADE = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
const post = (path: string, body: string, type = 'application/json') =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const get = (path: string, headers = 'Connection: close\r\n', method = 'GET') =>
  `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;

/** Everything that a listener answers in a way of its own, as it is sent. */
const REQUESTS: readonly (readonly [what: string, text: string])[] = [
  ...[
    '/health',
    '/v1/devices',
    `/v1/devices/${ID}`,
    `/v1/devices/${ID}/telemetry`,
    '/openapi.json',
    '/',
    '/x',
    '/%ff',
  ].map((path) => [`GET ${path}`, get(path)] as const),
  [`GET /v1/devices/%ff`, get('/v1/devices/%ff')],
  ...['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE'].map(
    (method) => [`${method} /v1/devices`, get('/v1/devices', 'Connection: close\r\n', method)] as const,
  ),
  ['a value out of range', get(`/v1/devices/${ID}/telemetry?limit=0`)],
  ['an empty body', post('/v1/telemetry', '')],
  ['no JSON', post('/v1/telemetry', '{')],
  ['another content type', post('/v1/telemetry', '{}', 'text/plain')],
  ['a body that is too long', post('/v1/devices', ' '.repeat(70_000))],
  ['what is not HTTP', 'no HTTP\r\n\r\n'],
  ['headers that are too long', get('/health', `X: ${'x'.repeat(40_000)}\r\n`)],
  ['an expectation', get('/health', 'Connection: close\r\nExpect: the unexpected\r\n')],
  ['a script of a service worker', get('/ui/sw.js', 'Connection: close\r\nService-Worker: script\r\n')],
  [
    'HTTP/2',
    get('/health', 'Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'),
  ],
  // The view, where it is served.
  ...['/ui', '/ui/', '/ui/index.html', '/ui/none.js', '/ui/api/overview', EVENTS_PATH].map(
    (path) => [`GET ${path}`, get(path)] as const,
  ),
  ['a call without a token', post('/ui/api/overview', '{"dayStart":0}')],
  ...(
    [
      ['without a key', UPGRADE + VERSION],
      ['with a wrong key', `${UPGRADE}${VERSION}Sec-WebSocket-Key: x\r\n`],
      ['without a version', UPGRADE + KEY],
      ['of another version', `${UPGRADE}${KEY}Sec-WebSocket-Version: 12\r\n`],
      ['with a broken protocol', `${UPGRADE}${KEY}${VERSION}Sec-WebSocket-Protocol: ,\r\n`],
      ['of another origin', `${UPGRADE}${KEY}${VERSION}Origin: https://elsewhere.example\r\n`],
    ] as const
  ).map(
    ([what, headers]) =>
      [`a WebSocket ${what}`, get(EVENTS_PATH, headers.replace('Upgrade\r', 'Upgrade, close\r'))] as const,
  ),
];

describe.each([...ENDPOINTS, 'gate'] as const)('each answer of the %s listener', (listener) => {
  const url = async () => {
    if (listener !== 'gate') return node.url(listener);
    const { gate } = await call(node.process, 'gate', {});
    return gate.state === 'listening' ? `http://${gate.address}:${gate.port}` : '';
  };

  test.each(REQUESTS)('to %s can’t be read as another type, or by other origins', async (_what, text) => {
    const said = await exchange(await url(), text);
    const [head = ''] = said.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 [2345]\d\d /);
    expect(head.toLowerCase()).toContain('\r\nx-content-type-options: nosniff');
    expect(head.toLowerCase()).toContain('\r\ncross-origin-resource-policy: same-origin');
  });
});

test('the local listener guards the handshake of a WebSocket in the same way', async () => {
  const said = await exchange(node.url('local'), get(EVENTS_PATH, `${UPGRADE}${KEY}${VERSION}`));
  expect(said).toMatch(/^HTTP\/1\.1 101 /);
  expect(said.toLowerCase()).toContain('\r\nx-content-type-options: nosniff\r\n');
  expect(said.toLowerCase()).toContain('\r\ncross-origin-resource-policy: same-origin\r\n');
});

test.each(['/', '/ui/', '/ui/api/overview', '/ui/wellhouse-ca.crt', '/v1/devices', '/v1/auth/challenge', '/%ff', '/x'])(
  'the door guards GET %s in the same way',
  async (path) => {
    const { headers } = await sendToDoor(`${await doorOf(node.process)}${path}`);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
  },
);
