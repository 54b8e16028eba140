import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { EVENTS_PATH, SOCKET_CLOSE } from '../../src/shared/owner-api/socket.ts';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { post, send } from '../support/http.ts';
import { type RunningNode, runningNode, startNode } from '../support/node-process.ts';
import { call, closeCode, EventSocket, openSocket, uiToken } from '../support/owner-client.ts';

/** The headers that make a request one for a WebSocket. */
const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

const opened: WebSocket[] = [];
function open(node: RunningNode, headers: Record<string, string> = {}): WebSocket {
  const socket = openSocket(node, headers);
  opened.push(socket);
  return socket;
}
function owner(node: RunningNode, token?: string): EventSocket {
  const events = new EventSocket(node, token);
  opened.push(events.socket);
  return events;
}
afterEach(() => {
  for (const socket of opened.splice(0)) socket.terminate();
});

const isOpen = (socket: WebSocket) => new Promise<void>((resolve) => socket.once('open', resolve));

describe('before the upgrade', () => {
  const node = runningNode({ args: ['--ui'] });
  const plain = runningNode();
  const url = () => `${node.url('local')}${EVENTS_PATH}`;

  it.each([
    ['origin_not_allowed', { origin: 'http://evil.example' }],
    ['origin_not_allowed', { origin: 'null' }],
    ['origin_not_allowed', { origin: 'http://127.0.0.1:1' }],
    ['origin_not_allowed', { origin: 'http://localhost:1', host: 'localhost:2' }],
    ['origin_not_allowed', { 'sec-fetch-site': 'cross-site' }],
    ['host_not_allowed', { host: 'rebound.example:3001', origin: 'http://rebound.example:3001' }],
    ['host_not_allowed', { host: '0.0.0.0' }],
  ])('%s is answered to a page with %j, token or not', async (error, headers) => {
    const authorization = `Bearer ${uiToken(node.process)}`;
    for (const given of [headers, { ...headers, authorization }]) {
      const reply = await send(url(), { headers: { ...UPGRADE, ...given } });
      expect([reply.status, reply.json]).toEqual([403, { error }]);
    }
  });

  it('the node’s own page is accepted, also over a forwarded port', async () => {
    for (const host of [new URL(url()).host, 'localhost:8080', '127.0.0.1:8080']) {
      await isOpen(open(node.process, { host, origin: `http://${host}` }));
    }
  });

  it('there is no socket on the public endpoint, nor without --ui', async () => {
    for (const base of [node.url('public'), plain.url('public'), plain.url('local')]) {
      const reply = await send(`${base}${EVENTS_PATH}`, { headers: UPGRADE });
      expect([reply.status, reply.json]).toEqual([404, { error: 'not_found' }]);
    }
  });

  it('a request without an upgrade gets an answer that says so with the token, else 401', async () => {
    const authorization = `Bearer ${uiToken(node.process)}`;
    expect((await send(url())).status).toBe(401);
    const reply = await send(url(), { headers: { authorization } });
    expect([reply.status, reply.headers.upgrade]).toEqual([426, 'websocket']);
  });

  it('an upgrade that violates the protocol is answered like a plain request', async () => {
    const headers = { ...UPGRADE, 'sec-websocket-version': '1' };
    expect((await send(url(), { headers })).status).toBe(401);
    const authorization = `Bearer ${uiToken(node.process)}`;
    const reply = await send(url(), { headers: { ...headers, authorization } });
    expect([reply.status, reply.headers.upgrade]).toEqual([426, 'websocket']);
  });

  it.each(['h2c', 'websocket', 'TLS/1.0'])(
    'an offer to upgrade to %s changes nothing for any other request',
    async (upgrade) => {
      const headers = { ...UPGRADE, upgrade };
      const device = new SimulatedDevice();
      for (const endpoint of ['local', 'public'] as const) {
        const base = node.url(endpoint);
        const registered = await post(`${base}/v1/devices`, device.registration(), { headers });
        expect(registered.status, registered.text).toBe(201);
        const block = device.block({ seq: 1, timestamp: Date.now(), plain: { ph: 6 } });
        const sent = await post(`${base}/v1/telemetry`, { blocks: [block] }, { headers });
        expect([sent.status, sent.json], sent.text).toEqual([200, expect.objectContaining({ accepted: 1 })]);
        expect((await send(`${base}/v1/devices/${device.id}`, { headers })).status).toBe(200);
      }
      const asked = await post(`${node.url('local')}/ui/api/nodeInfo`, {}, { headers });
      expect(asked.status).toBe(401);
    },
  );
});

describe('the token', () => {
  const node = runningNode({ args: ['--ui'] });

  it.each([
    ['no such token', () => 'A'.repeat(43)],
    ['half of it', () => uiToken(node.process).slice(0, 20)],
    ['more than it', () => `${uiToken(node.process)}A`],
    ['none', () => ''],
    ['the header’s form', () => `Bearer ${uiToken(node.process)}`],
  ])('%s is refused with its own code, and gets no event', async (_name, token) => {
    const events = owner(node.process, token());
    expect(await events.ended).toBe(SOCKET_CLOSE.unauthorized);
    await expect(events.ready).rejects.toThrow('4401');
  });

  it('is accepted only in the first message: not in a header, a cookie, a sub-protocol or the address', async () => {
    const token = uiToken(node.process);
    const headers = { authorization: `Bearer ${token}`, cookie: `token=${token}` };
    const socket = open(node.process, headers);
    await isOpen(socket);
    socket.send('{}');
    expect(await closeCode(socket)).toBe(SOCKET_CLOSE.unexpected);
    const inAddress = await send(`${node.url('local')}${EVENTS_PATH}?token=${token}`, { headers: UPGRADE });
    expect(inAddress.status).toBe(401);
  });

  it.each([
    ['text that is no JSON', 'token'],
    ['JSON of another shape', '["token"]'],
    ['a token that is no text', '{"token":1}'],
    ['a member too many', '{"token":"x","more":1}'],
    ['bytes', Buffer.from('{"token":"x"}')],
    ['nothing', ''],
  ])('%s as the first message ends the socket', async (_name, message) => {
    const socket = open(node.process);
    await isOpen(socket);
    socket.send(message);
    expect(await closeCode(socket)).toBe(SOCKET_CLOSE.unexpected);
  });

  it('that does not come within five seconds ends the socket', async () => {
    const since = performance.now();
    const socket = open(node.process);
    await isOpen(socket);
    expect(await closeCode(socket)).toBe(SOCKET_CLOSE.unexpected);
    expect(performance.now() - since).toBeGreaterThan(4990);
  });
});

describe('limits', () => {
  const node = runningNode({ args: ['--ui'] });

  it('a message beyond a kilobyte ends the socket, before and after the token', async () => {
    const stranger = open(node.process);
    await isOpen(stranger);
    stranger.send(JSON.stringify({ token: 'A'.repeat(2000) }));
    expect(await closeCode(stranger)).toBe(1009);
    const events = owner(node.process);
    await events.ready;
    events.socket.send('x'.repeat(2000));
    expect(await events.ended).toBe(1009);
  });

  it('any message after the token ends the socket', async () => {
    const events = owner(node.process);
    await events.ready;
    for (let count = 0; count < 1000; count += 1) events.socket.send('{}');
    expect(await events.ended).toBe(SOCKET_CLOSE.unexpected);
  });

  it('silent strangers keep no owner out: the oldest of them is disconnected', async () => {
    const strangers = Array.from({ length: 20 }, () => open(node.process));
    await Promise.all(strangers.map(isOpen));
    const firstGone = closeCode(strangers[0]!);
    const events = owner(node.process);
    await events.ready;
    expect(await firstGone).toBe(1006);
    expect(strangers.slice(2).map(({ readyState }) => readyState)).toEqual(Array(18).fill(WebSocket.OPEN));
  });

  it('fifty sockets can be open at a time; another one is refused, until one closes', async () => {
    const all: EventSocket[] = [];
    for (let count = 0; count < 50; count += 1) {
      all.push(owner(node.process));
      await all.at(-1)!.ready;
    }
    expect(await owner(node.process).ended).toBe(SOCKET_CLOSE.tooMany);
    all[0]!.socket.close();
    await all[0]!.ended;
    await owner(node.process).ready;
  });

  it('a client that floods with pings and reads nothing is cut off', async () => {
    const { hostname, port } = new URL(node.url('local'));
    const client: Socket = connect(Number(port), hostname);
    client.on('error', () => {});
    const ended = new Promise<void>((resolve) => client.once('close', () => resolve()));
    const lines = Object.entries(UPGRADE).map(([name, value]) => `${name}: ${value}`);
    client.write(`GET ${EVENTS_PATH} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${lines.join('\r\n')}\r\n\r\n`);
    await new Promise<void>((resolve) => client.once('data', () => resolve()));
    client.pause();
    // A masked ping with 125 zero bytes, many times; the pongs stay unread.
    const ping = Buffer.concat([Buffer.from([0x89, 0x80 | 125, 0, 0, 0, 0]), Buffer.alloc(125)]);
    const pings = Buffer.concat(Array.from({ length: 5000 }, () => ping));
    const isCutOff = () => client.destroyed || client.readableEnded;
    // Some megabytes fit into the buffers of the system, on either side.
    for (let round = 0; round < 100 && !isCutOff(); round += 1) {
      const drained = new Promise<void>((resolve) => client.once('drain', resolve));
      if (!client.write(pings)) await Promise.race([drained, ended]);
    }
    await ended;
    await owner(node.process).ready;
  });
});

describe('the end', () => {
  it('a stop closes every socket at once, also one whose client never answers the close', async () => {
    const node = await startNode({ args: ['--ui'] });
    try {
      const all = [owner(node), owner(node)];
      await Promise.all(all.map(({ ready }) => ready));
      const silent = owner(node);
      await silent.ready;
      silent.socket.pause();
      const before = performance.now();
      const exit = await node.stop();
      expect(await Promise.all(all.map(({ ended }) => ended))).toEqual([1001, 1001]);
      expect([exit.code, exit.stderr]).toEqual([0, '']);
      expect(performance.now() - before).toBeLessThan(4500);
    } finally {
      await node.dispose();
    }
  });

  it('a listener that moves to another port closes its sockets, and the new one accepts them', async () => {
    const node = await startNode({ args: ['--ui'], env: { LOCAL_PORT: '' }, settings: { localPort: 0 } });
    try {
      const before = owner(node);
      await before.ready;
      const token = uiToken(node);
      const free = await freePort();
      const { saved } = await call(node, 'setSettings', { change: { localPort: free } });
      expect(saved).toBe(true);
      expect(await before.ended).toBe(SOCKET_CLOSE.goingAway);
      const socket = new WebSocket(`ws://127.0.0.1:${free}${EVENTS_PATH}`);
      opened.push(socket);
      await isOpen(socket);
      socket.send(JSON.stringify({ token }));
      const said = await new Promise<string>((resolve) => socket.once('message', (data) => resolve(data.toString())));
      expect(JSON.parse(said)).toEqual({ kind: 'ready' });
    } finally {
      await node.dispose();
    }
  });

  it('a node with another token refuses a socket of the previous one', async () => {
    const first = await startNode({ args: ['--ui'] });
    const token = uiToken(first);
    try {
      await first.stop();
      const second = await startNode({ args: ['--ui', '--new-ui-token'], dataDir: first.dataDir });
      try {
        expect(await owner(second, token).ended).toBe(SOCKET_CLOSE.unauthorized);
        await owner(second).ready;
      } finally {
        await second.dispose();
      }
    } finally {
      await first.dispose();
    }
  });
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
