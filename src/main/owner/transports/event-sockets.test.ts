import type { AddressInfo } from 'node:net';
import websocket from '@fastify/websocket';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { EVENTS, type EventName, type EventPayload } from '../../../shared/owner-api/events.ts';
import { SOCKET_CLOSE, type SocketMessage } from '../../../shared/owner-api/socket.ts';
import type { OnEvent } from '../api/events.ts';
import { type Caller, LOCAL_OWNER } from '../caller.ts';
import { EventSockets, SOCKET_LIMITS } from './event-sockets.ts';

const TOKEN = 'the token';

let app: FastifyInstance;
let sockets: EventSockets;
/** The caller that opens sockets. */
let caller: Caller;
/** The node's ends of the sockets, in order. */
let accepted: WebSocket[] = [];
let emit: OnEvent | null = null;

afterEach(async () => {
  await app.close();
});

/** Serves sockets over real HTTP. `emit` sends a node event; null while nobody listens. */
async function serve(aliveEveryMs: number): Promise<string> {
  emit = null;
  accepted = [];
  caller = LOCAL_OWNER;
  sockets = new EventSockets({
    listen: (onEvent) => {
      emit = onEvent;
      return () => {
        emit = null;
      };
    },
    aliveEveryMs,
  });
  app = fastify();
  app.register(async (scope) => {
    const preClose = (done: () => void) => {
      sockets.close();
      done();
    };
    await scope.register(websocket, { options: SOCKET_LIMITS, preClose });
    scope.get('/', { websocket: true }, (socket) => {
      accepted.push(socket);
      sockets.accept(socket, (token) => (token === TOKEN ? caller : null));
    });
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return `ws://127.0.0.1:${(app.server.address() as AddressInfo).port}/`;
}

/** Opens a client and sends its token; `messages` has all later messages. */
async function ready(url: string, options = {}): Promise<{ socket: WebSocket; messages: SocketMessage[] }> {
  const socket = new WebSocket(url, options);
  socket.on('error', () => {});
  const messages: SocketMessage[] = [];
  await new Promise((resolve) => socket.once('open', resolve));
  socket.send(JSON.stringify({ token: TOKEN }));
  await new Promise<void>((resolve) => {
    socket.on('message', (data) => {
      const message = JSON.parse(data.toString()) as SocketMessage;
      if (message.kind === 'ready') resolve();
      else messages.push(message);
    });
  });
  return { socket, messages };
}

const closed = (socket: WebSocket) => new Promise<number>((resolve) => socket.once('close', resolve));

it('a client that does not read its events is disconnected, with a small buffer; others continue', async () => {
  const url = await serve(60_000);
  const slow = await ready(url);
  const other = await ready(url);
  slow.socket.pause();
  const ended = closed(slow.socket);
  const serverSide = accepted[0]!;
  const devices = Array.from({ length: 1000 }, () => 'ab'.repeat(32));
  let mostKept = 0;
  let sent = 0;
  while (serverSide.readyState === WebSocket.OPEN && sent < 1000) {
    emit!('readings', { devices });
    sent += 1;
    mostKept = Math.max(mostKept, serverSide.bufferedAmount);
    await new Promise((resolve) => setImmediate(resolve));
  }
  // The system's buffers took some messages. The node kept at most the bound and the message that exceeded it.
  expect(mostKept).toBeGreaterThan(256 * 1024);
  expect(mostKept).toBeLessThan(256 * 1024 + 100_000);
  slow.socket.resume();
  expect(await ended).toBe(1006);
  await expect.poll(() => other.messages.length).toBe(sent);
});

it('a client without a sign of life is disconnected; the others get one from the node', async () => {
  // Both ends are in this process, which a busy machine may pause for some tenths of a second.
  const url = await serve(1000);
  const dead = await ready(url, { autoPong: false });
  const alive = await ready(url);
  expect(await closed(dead.socket)).toBe(1006);
  const signs = () => alive.messages.filter(({ kind }) => kind === 'alive').length;
  await expect.poll(signs, { timeout: 20_000 }).toBeGreaterThan(2);
  expect(alive.socket.readyState).toBe(WebSocket.OPEN);
});

it('the node’s events have a listener only while a socket is open', async () => {
  const url = await serve(60_000);
  expect(emit).toBeNull();
  const { socket, messages } = await ready(url);
  emit!('devices', {});
  await expect.poll(() => messages).toEqual([{ kind: 'event', event: 'devices', payload: {} }]);
  socket.close();
  await closed(socket);
  await expect.poll(() => emit).toBeNull();
});

it.each(Object.keys(EVENTS) as EventName[])('%s is not sent to somebody who was revoked before it', async (event) => {
  const url = await serve(60_000);
  let isValid = true;
  caller = { ...LOCAL_OWNER, pairing: { id: 'a', name: 'Phone' }, isValid: () => isValid };
  const { socket, messages } = await ready(url);
  const ended = closed(socket);
  isValid = false;
  emit!(event, {} as EventPayload<EventName>);
  expect([await ended, messages]).toEqual([SOCKET_CLOSE.unauthorized, []]);
});

it('a client’s unread events are dropped when its pairing is revoked', async () => {
  const url = await serve(60_000);
  caller = { ...LOCAL_OWNER, pairing: { id: 'a', name: 'Phone' } };
  const { socket, messages } = await ready(url);
  socket.pause();
  while (accepted[0]!.bufferedAmount === 0) emit!('readings', { devices: ['ab'.repeat(32)] });
  const ended = closed(socket);
  sockets.closePairing('a');
  await expect.poll(() => accepted[0]!.readyState).toBe(WebSocket.CLOSED);
  const before = messages.length;
  socket.resume();
  await ended;
  expect(before).toBe(0);
});

it('the pairing with the most sockets loses one to another pairing, and gets no more', async () => {
  const url = await serve(60_000);
  const paired = (id: string): Caller => ({ ...LOCAL_OWNER, by: 'pairing', pairing: { id, name: id } });
  caller = paired('greedy');
  const greedy = await Promise.all(Array.from({ length: 49 }, () => ready(url)));
  caller = paired('phone');
  const phone = await ready(url);
  const oneGone = Promise.race(greedy.map(({ socket }) => closed(socket)));
  const other = await ready(url);
  expect(await oneGone).toBe(SOCKET_CLOSE.tooMany);
  caller = paired('greedy');
  const more = new WebSocket(url);
  await new Promise((resolve) => more.once('open', resolve));
  more.send(JSON.stringify({ token: TOKEN }));
  expect(await closed(more)).toBe(SOCKET_CLOSE.tooMany);
  expect([phone, other].map(({ socket }) => socket.readyState)).toEqual([WebSocket.OPEN, WebSocket.OPEN]);
});
