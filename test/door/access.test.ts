import { request } from 'node:http';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { expect, it } from 'vitest';
import { PAIR_PATH } from '../../src/shared/pairing-link.ts';
import { DOOR_ENV, DoorClient, doorOf, openPairing, sendToDoor } from '../support/door.ts';
import { runningNode } from '../support/node-process.ts';

const node = runningNode({ args: ['--ui'], env: { ...DOOR_ENV, PUBLIC_RATE_LIMIT: '0' } });

it('serves the page and the pairing, but no device protocol; everything else needs a token', async () => {
  const door = await doorOf(node.process);
  const page = await sendToDoor(`${door}/ui/`);
  expect([page.status, page.text.includes('name="wellhouse-door"')]).toEqual([200, true]);
  expect(page.headers).toMatchObject({ 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer' });
  expect(page.headers['content-security-policy']).toContain("connect-src 'self'");
  expect(page.headers).not.toHaveProperty('strict-transport-security');
  for (const path of ['/v1/devices', '/v1/telemetry', '/health', '/v1/openapi.json', '/ui/api/prove', '/nothing']) {
    for (const method of ['GET', 'POST']) {
      const { status } = await sendToDoor(`${door}${path}`, { method, headers: { origin: door } });
      expect([path, method, status === 404 || status === 401]).toEqual([path, method, true]);
      if (path.startsWith('/v1')) expect(status).toBe(404);
    }
  }
  for (const headers of [{}, { authorization: 'Bearer wrong' }, { cookie: '__Host-wellhouse=wrong', origin: door }]) {
    const reply = await sendToDoor(`${door}/ui/api/overview`, { method: 'POST', body: '{"dayStart":0}', headers });
    expect([reply.status, reply.text]).toEqual([401, '{"ok":false,"error":"unauthorized"}']);
  }
});

it('a stolen cookie does not work from another page, with any headers', async () => {
  const phone = await DoorClient.pair(node.process, 'browser');
  const { cookie } = phone.headers as { cookie: string };
  const { port } = new URL(phone.door);
  const elsewhere: Record<string, string>[] = [
    { cookie },
    { cookie, origin: 'https://evil.example' },
    { cookie, origin: 'null' },
    { cookie, origin: `http://127.0.0.1:${port}` },
    { cookie, origin: 'https://127.0.0.1:1' },
    { cookie, origin: `https://localhost:${port}` },
    { cookie, origin: phone.door, 'sec-fetch-site': 'cross-site' },
  ];
  for (const headers of elsewhere) {
    const reply = await sendToDoor(`${phone.door}/ui/api/overview`, {
      method: 'POST',
      body: '{"dayStart":0}',
      headers: { 'content-type': 'application/json', ...headers },
    });
    expect([headers, reply.status === 401 || reply.status === 403]).toEqual([headers, true]);
    const socket = phone.events(headers);
    await expect(socket.ready, JSON.stringify(headers)).rejects.toThrow();
  }
  expect((await phone.ask('overview', { dayStart: 0 })).status).toBe(200);
});

it('another page can’t pair a browser, nor can a name that resolves here by a DNS trick', async () => {
  const door = await doorOf(node.process);
  const { code } = await openPairing(node.process);
  const pair = (headers: Record<string, string>) =>
    sendToDoor(`${door}${PAIR_PATH}`, { method: 'POST', body: JSON.stringify({ code, as: 'browser' }), headers });
  const json = { 'content-type': 'application/json' };
  expect((await pair({ ...json, origin: 'https://evil.example' })).status).toBe(403);
  expect((await pair(json)).status).toBe(403);
  const { port } = new URL(door);
  const rebound = { ...json, host: `evil.example:${port}`, origin: `https://evil.example:${port}` };
  expect(JSON.parse((await pair(rebound)).text)).toEqual({ error: 'host_not_allowed' });
  const named = { host: `localhost:${port}`, origin: `https://localhost:${port}` };
  expect((await pair({ ...json, ...named })).status).toBe(200);
});

it('a forwarded request is refused', async () => {
  const { door, headers } = await DoorClient.pair(node.process, 'app');
  for (const name of ['x-forwarded-for', 'tailscale-user-login', 'cf-connecting-ip', 'via', 'forwarded']) {
    const reply = await sendToDoor(`${door}/ui/api/overview`, {
      method: 'POST',
      body: '{"dayStart":0}',
      headers: { ...headers, [name]: 'somebody' },
    });
    expect([name, reply.status, reply.text]).toEqual([name, 403, '{"error":"forwarded_request"}']);
  }
});

it('plain HTTP gets no answer, and TLS is 1.2 or newer', async () => {
  const { port } = new URL(await doorOf(node.process));
  const answer = await new Promise<string>((resolve) => {
    const outgoing = request({ host: '127.0.0.1', port, path: '/ui/' }, ({ statusCode }) => resolve(`${statusCode}`));
    outgoing.on('error', () => resolve('closed'));
    outgoing.end();
  });
  expect(['closed', '400']).toContain(answer);
  const bytes = await new Promise<number>((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write('hello? is this a terminal?\r\n\r\n'));
    let length = 0;
    socket.on('data', (data) => {
      length += data.length;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(length));
  });
  // At most a TLS alert.
  expect(bytes).toBeLessThan(200);
  const handshake = (maxVersion: 'TLSv1.1' | 'TLSv1.2', ciphers = 'DEFAULT@SECLEVEL=0') =>
    new Promise<string | null>((resolve) => {
      const options = { host: '127.0.0.1', port: Number(port), rejectUnauthorized: false } as const;
      const socket = connectTls({ ...options, minVersion: 'TLSv1', maxVersion, ciphers }, () => {
        resolve(socket.getProtocol());
        socket.destroy();
      });
      socket.on('error', () => resolve(null));
    });
  expect(await handshake('TLSv1.1')).toBeNull();
  expect(await handshake('TLSv1.2')).toBe('TLSv1.2');
  expect(await handshake('TLSv1.2', 'ECDHE-ECDSA-AES128-GCM-SHA256')).toBe('TLSv1.2');
  // Without authenticated encryption, or without forward secrecy.
  for (const weak of ['ECDHE-ECDSA-AES128-SHA', 'ECDHE-ECDSA-AES256-SHA384', 'AES128-GCM-SHA256'])
    expect(await handshake('TLSv1.2', `${weak}:@SECLEVEL=0`), weak).toBeNull();
});
