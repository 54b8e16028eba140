import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { SimulatedDevice } from './device.ts';
import { StubNode } from './stub-node.ts';
import { WireClient } from './wire-client.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function serve(handler: http.RequestListener): Promise<string> {
  const server = http.createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => server.closeAllConnections());
  cleanups.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function clientOf(url: string, timeoutMs?: number): WireClient {
  const client = new WireClient(url, timeoutMs === undefined ? {} : { timeoutMs });
  cleanups.push(() => client.close());
  return client;
}

test('registers and posts, and distinguishes accepted and refused blocks', async () => {
  const node = new StubNode();
  const client = clientOf(await node.listen());
  cleanups.push(() => node.close());
  const [device, stranger] = [new SimulatedDevice(), new SimulatedDevice()];
  expect((await client.register(device.registration())).status).toBe(201);
  expect((await client.register(device.registration())).status).toBe(409);
  const good = device.block({ seq: 1, timestamp: 2, plain: { ph: 6 } });
  expect(await client.post([good])).toMatchObject({ status: 200, accepted: 1, errors: [] });
  const mixed = await client.post([good, stranger.block({ seq: 9, timestamp: 2 })]);
  expect(mixed).toMatchObject({ status: 207, accepted: 1 });
  expect(mixed.errors).toEqual([{ seq: '9', error: `Device not found: ${stranger.id}` }]);
});

test('keeps every digit of a 64-bit integer in both directions', async () => {
  let received = '';
  const url = await serve(async (request, response) => {
    for await (const chunk of request.setEncoding('utf8')) received += chunk;
    response.end('{"readings":[{"seq":18446744073709551615,"timestamp":1}]}');
  });
  const client = clientOf(url);
  await client.register({ location: 18446744073709551615n });
  expect(received).toBe('{"location":18446744073709551615}');
  expect((await client.readings('ab')).body).toEqual({ readings: [{ seq: 18446744073709551615n, timestamp: 1 }] });
});

test('resolves with any status and with a body that is not JSON', async () => {
  const client = clientOf(await serve((_request, response) => response.writeHead(502).end('<html>')));
  expect(await client.post([{}])).toMatchObject({ status: 502, accepted: 0, errors: [], body: '<html>' });
});

test('rejects without a listener, and if the connection breaks', async () => {
  const node = new StubNode();
  const url = await node.listen();
  await node.close();
  await expect(clientOf(url).health()).rejects.toThrow('ECONNREFUSED');
  const broken = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('{"acc', () => response.destroy());
  });
  await expect(clientOf(broken).health()).rejects.toThrow();
});

test('applies the timeout to the whole exchange, even if bytes keep coming', async () => {
  const url = await serve((_request, response) => {
    const timer = setInterval(() => response.write(' '), 10);
    response.on('close', () => clearInterval(timer));
  });
  await expect(clientOf(url, 200).health()).rejects.toThrow('no answer within 0.2 s');
});

test('keeps a path prefix of the base URL, and refuses other schemes', async () => {
  const client = clientOf(`${await serve((request, response) => response.end(JSON.stringify(request.url)))}/wells`);
  expect((await client.health()).body).toBe('/wells/health');
  expect(() => new WireClient('ftp://127.0.0.1')).toThrow(TypeError);
});
