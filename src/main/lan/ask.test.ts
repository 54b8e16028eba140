import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { ask, placeOf, textOf } from './ask.ts';

const servers: http.Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function serve(answer: http.RequestListener): Promise<{ address: string; port: number; asked: string[] }> {
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { address: '127.0.0.1', port: (server.address() as AddressInfo).port, asked };
}

test.each([
  ['192.168.1.9', { address: '192.168.1.9', port: 80 }],
  [' http://192.168.1.9:8090/index.html ', { address: '192.168.1.9', port: 8090 }],
  ['fd00::9', { address: 'fd00::9', port: 80 }],
  ['[fe80::1%eth0]:81', { address: 'fe80::1%eth0', port: 81 }],
])('reads %j', (text, place) => {
  expect(placeOf(text)).toEqual(place);
  expect(placeOf(textOf(place))).toEqual(place);
});

test.each([
  ...[
    '',
    '8.8.8.8',
    '192.168.1.9:0',
    '192.168.1.9:70000',
    '192.168.1.9@8.8.8.8',
    'device.local',
    'localhost',
    '3232235785',
  ],
  ...[
    '0xc0a80109',
    '192.168.1',
    '::ffff:8.8.8.8',
    '[::]:80',
    '2001:db8::1',
    '192.168.1.9:80:80',
    '[192.168.1.9',
    '//8.8.8.8',
  ],
])('refuses %j as an address of a private network', (text) => {
  expect(placeOf(text)).toBeNull();
});

test('reads an answer, and posts a form', async () => {
  const place = await serve((request, response) => {
    let text = '';
    request.on('data', (part) => (text += part));
    request.on('end', () => response.end(`${request.headers.host} ${text}`));
  });
  expect(await ask(place, '/api/status')).toEqual({ status: 200, text: `127.0.0.1:${place.port} ` });
  const form = new URLSearchParams({ device_name: 'Tank & pump' });
  expect((await ask(place, '/config/save', form)).text).toContain('device_name=Tank+%26+pump');
  expect(place.asked).toEqual(['GET /api/status', 'POST /config/save']);
});

test('follows no redirect', async () => {
  const other = await serve((_request, response) => response.end('elsewhere'));
  const place = await serve((_request, response) =>
    response.writeHead(302, { location: `http://127.0.0.1:${other.port}/` }).end(),
  );
  expect((await ask(place, '/api/status')).status).toBe(302);
  expect(other.asked).toEqual([]);
});

test('reads at most 64 KiB, for at most a second even if bytes keep coming', async () => {
  const long = await serve((_request, response) => response.end('x'.repeat(64 * 1024 + 1)));
  await expect(ask(long, '/')).rejects.toThrow('64 KiB');
  const slow = await serve((_request, response) => {
    const timer = setInterval(() => response.write('x'), 100);
    response.on('close', () => clearInterval(timer));
  });
  const before = performance.now();
  await expect(ask(slow, '/')).rejects.toThrow();
  expect(performance.now() - before).toBeGreaterThan(900);
});

test('requests nothing outside of private networks', () => {
  expect(() => ask({ address: '8.8.8.8', port: 80 }, '/')).toThrow('not a private address');
});
