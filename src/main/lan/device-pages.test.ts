import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { EventBus } from '../common/event-bus.ts';
import type { NodeEventMap } from '../common/node-events.ts';
import { DevicePages } from './device-pages.ts';

const ID = 'ee'.repeat(32);

function pages(resolve: (name: string) => Promise<readonly string[]>): DevicePages {
  return new DevicePages({ events: new EventBus<NodeEventMap>(pino({ level: 'silent' })), resolve });
}

test('resolves only the names of known MACs, and requests no address outside of private networks', async () => {
  const names: string[] = [];
  const asked = pages(async (name) => {
    names.push(name);
    return ['8.8.8.8', '2001:db8::1'];
  });
  const none = { found: [], asked: 3 };
  const wanted = ['aabbccddee01', '0'.repeat(12), null].map((mac) => ({ id: ID, mac, address: null }));
  expect(await asked.find(wanted)).toEqual(none);
  expect(names).toEqual(['safrasense-aqua-ee01.local']);
});

test('does not wait for a resolver that hangs, and runs at most two look-ups at a time', async () => {
  let hanging = 0;
  const asked = pages(() => {
    hanging += 1;
    return new Promise(() => {});
  });
  const of = (digits: string) => asked.ask({ id: ID, mac: `aabbccdd${digits}` }, null);
  const notFound = { state: 'not_found', address: null };
  expect(await Promise.all(['0001', '0002', '0001', '0003'].map(of))).toEqual(Array(4).fill(notFound));
  expect(hanging).toBe(2);
});

test('writes nothing to a device if its name could not be written back', async () => {
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.end(
      JSON.stringify({ device_id: ID, device_name: 'x'.repeat(301), servers_external: [], servers_local: [] }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const before = { external: [], local: [] };
  const after = { external: [], local: [{ name: 'Wellhouse', url: '192.168.1.5:8080' }] };
  expect(await pages(async () => []).point(ID, address, before, after)).toEqual({ state: 'no_name' });
  expect(asked).toEqual(['GET /api/status']);
  await new Promise((resolve) => server.close(resolve));
});

test('reports an overlong answer as no device, not as no answer', async () => {
  const server = http.createServer((_request, response) => response.end('x'.repeat(64 * 1024 + 1)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await pages(async () => []).askAt(address)).toEqual({ state: 'not_a_device', address });
  await new Promise((resolve) => server.close(resolve));
});
