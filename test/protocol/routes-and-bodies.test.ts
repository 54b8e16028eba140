import { describe, expect, test } from 'vitest';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { exchange, type Reply, send } from '../support/http.ts';
import { ENDPOINTS, runningNode } from '../support/node-process.ts';

const node = runningNode();
const ID = 'ab'.repeat(32);
const MIB = 1024 ** 2;

const ROUTES: readonly (readonly [string, readonly string[]])[] = [
  ['/health', ['GET']],
  ['/v1/devices', ['GET', 'POST']],
  [`/v1/devices/${ID}`, ['GET']],
  [`/v1/devices/${ID}/telemetry`, ['GET']],
  ['/v1/telemetry', ['POST']],
  ['/openapi.json', ['GET']],
];
const WRONG_METHODS = ROUTES.flatMap(([path, methods]) =>
  ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
    .filter((method) => !methods.includes(method))
    .map((method) => [method, path, methods] as const),
);
const POST_ROUTES = ['/v1/devices', '/v1/telemetry'] as const;

/** The headers that every answer has. */
const GUARDED = { 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' };

function expectError(reply: Reply, status: number, error: string): void {
  expect(reply.headers).toMatchObject(GUARDED);
  expect(reply.status, reply.text).toBe(status);
  expect(reply.headers['content-type']).toMatch(/^application\/json\b/);
  expect(reply.json).toEqual({ error });
}

describe.each(ENDPOINTS)('routes and methods, %s endpoint', (endpoint) => {
  test.each(['/', '/v1', '/v2/devices', '/v1/users', '/v1/auth/challenge', '/v1/auth/verify', '/v1/telemetry/x'])(
    '%s is no route',
    async (path) => {
      expectError(await send(node.url(endpoint) + path), 404, 'not_found');
      expectError(await send(node.url(endpoint) + path, { method: 'POST', body: '{}' }), 404, 'not_found');
    },
  );

  test.each(WRONG_METHODS)('%s %s gets 405 with Allow', async (method, path, methods) => {
    const reply = await send(node.url(endpoint) + path, { method, ...(method === 'GET' ? {} : { body: '{}' }) });
    expectError(reply, 405, 'method_not_allowed');
    const allowed = String(reply.headers.allow).split(/\s*,\s*/);
    expect(allowed).toEqual(expect.arrayContaining([...methods]));
    expect(allowed).not.toContain(method);
  });
});

test.each(ENDPOINTS)('a browser lets no page of another origin read an answer of the %s endpoint', async (endpoint) => {
  for (const path of ['/health', '/v1/devices', `/v1/devices/${ID}/telemetry`, '/openapi.json', '/v1/devices/%ff']) {
    expect((await send(node.url(endpoint) + path)).headers, path).toMatchObject(GUARDED);
  }
  const malformed = await exchange(node.url(endpoint), 'no HTTP\r\n\r\n');
  for (const [name, value] of Object.entries(GUARDED)) expect(malformed).toContain(`${name}: ${value}`);
});

describe.each(ENDPOINTS)('content types, %s endpoint', (endpoint) => {
  describe.each(POST_ROUTES)('POST %s', (path) => {
    const sendAs = (contentType: string | null, body = '{}') =>
      send(node.url(endpoint) + path, { method: 'POST', body, contentType });

    test.each([['text/plain'], ['application/x-www-form-urlencoded'], ['multipart/form-data; boundary=x']])(
      'a body of %s gets 415',
      async (contentType) => expectError(await sendAs(contentType), 415, 'unsupported_media_type'),
    );

    test.each([['application/jsonp'], ['application/json-seq'], ['text/json'], ['json'], ['']])(
      'a body of %o gets 415: only application/json is JSON here',
      async (contentType) => expectError(await sendAs(contentType), 415, 'unsupported_media_type'),
    );

    test('a body without a content type gets 415', async () => {
      expectError(await sendAs(null), 415, 'unsupported_media_type');
    });

    test.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset=UTF-8'])(
      '%s counts as application/json',
      async (contentType) => {
        const reply = await sendAs(contentType);
        expect(reply.status).toBe(400);
        expect(reply.json).toMatchObject({ error: 'validation_error' });
      },
    );

    test.each([['application/json'], [null]])(
      'an empty body (content type %s) fails validation',
      async (contentType) => {
        const reply = await sendAs(contentType, '');
        expect(reply.status, reply.text).toBe(400);
        expect(reply.json).toMatchObject({ error: 'validation_error', details: expect.any(Array) });
      },
    );
  });
});

describe.each(ENDPOINTS)('bodies that are not JSON, %s endpoint', (endpoint) => {
  describe.each(POST_ROUTES)('POST %s', (path) => {
    const sendBody = (body: string | Uint8Array, chunked = false) =>
      send(node.url(endpoint) + path, { method: 'POST', body, chunked });

    test.each(['{', '{"blocks": [}', '{}x', 'undefined', "{'a':1}", '{"a":01}', '[1,]', 'NaN'])(
      '%o is malformed',
      async (body) => {
        expectError(await sendBody(body), 400, 'invalid_json');
        expectError(await sendBody(body, true), 400, 'invalid_json');
      },
    );

    test('bytes that are not UTF-8 cause no error of the node', async () => {
      expect((await sendBody(Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))).status).toBe(400);
    });

    test.each([
      ['arrays', '[', ']'],
      ['objects', '{"a":', '}'],
    ])('100,000 nested %s cause no error of the node', async (_what, open, close) => {
      const deep = `${open.repeat(100_000)}1${close.repeat(100_000)}`;
      for (const body of [deep, `{"x":${deep}}`, `{"name":${deep}}`, open.repeat(100_000)]) {
        const reply = await sendBody(body);
        // On the devices route the larger ones are over its limit of 64 KiB.
        const expected = body.length > 64 * 1024 && path === '/v1/devices' ? [413] : [400];
        expect(expected, reply.text).toContain(reply.status);
      }
    });

    test('deep nesting below the limit of the devices route causes no error of the node', async () => {
      const reply = await sendBody(`{"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`);
      expect(reply.status, reply.text).toBe(400);
    });
  });

  test('a deeply nested block fails as a block or with its batch, never as an error of the node', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const reply = await send(`${node.url(endpoint)}/v1/telemetry`, { method: 'POST', body: `{"blocks":[${deep}]}` });
    expect([207, 400], reply.text).toContain(reply.status);
  });
});

describe.each(ENDPOINTS)('body limits, %s endpoint', (endpoint) => {
  const LIMITS = [
    ['/v1/telemetry', MIB],
    ['/v1/devices', 64 * 1024],
  ] as const;

  describe.each([false, true])('chunked: %s', (chunked) => {
    test.each(LIMITS)('POST %s accepts %i bytes and no more', async (path, limit) => {
      // White space is part of a body and of no value.
      const atLimit = `{}${' '.repeat(limit - 2)}`;
      const taken = await send(node.url(endpoint) + path, { method: 'POST', body: atLimit, chunked });
      expect(taken.status, taken.text).toBe(400);
      expect(taken.json).toMatchObject({ error: 'validation_error' });
      const refused = await send(node.url(endpoint) + path, { method: 'POST', body: `${atLimit} `, chunked });
      expectError(refused, 413, 'payload_too_large');
    });
  });

  test('a registration of 64 KiB is stored', async () => {
    const device = new SimulatedDevice();
    const text = JSON.stringify({ ...device.registration(), ignored: '' });
    const body = text.replace('"ignored":""', `"ignored":"${'x'.repeat(64 * 1024 - text.length)}"`);
    expect(body).toHaveLength(64 * 1024);
    const reply = await send(`${node.url(endpoint)}/v1/devices`, { method: 'POST', body });
    expect(reply.status, reply.text).toBe(201);
  });
});

describe('MAX_BODY_BYTES', () => {
  const small = runningNode({ env: { MAX_BODY_BYTES: '2048' } });

  test.each(ENDPOINTS)('sets the limit of the %s endpoint', async (endpoint) => {
    const sendBytes = (count: number) =>
      send(`${small.url(endpoint)}/v1/telemetry`, { method: 'POST', body: `{}${' '.repeat(count - 2)}` });
    expect((await sendBytes(2048)).status).toBe(400);
    expectError(await sendBytes(2049), 413, 'payload_too_large');
  });
});
