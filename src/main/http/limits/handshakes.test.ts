import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { Server } from 'node:tls';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { HANDSHAKE_TIMEOUT_MS, limitHandshakes, type TlsConnections } from './handshakes.ts';
import { KnownAddresses } from './known-addresses.ts';

/** The client's end of a connection. */
class Client extends EventEmitter {
  readonly localAddress = '10.0.0.1';
  isClosed = false;
  hasBegun = false;
  readonly remoteAddress: string;
  readonly remotePort: number;

  constructor(remoteAddress: string, remotePort: number) {
    super();
    this.remoteAddress = remoteAddress;
    this.remotePort = remotePort;
  }

  destroy(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.emit('close');
  }

  get socket(): Socket {
    return this as unknown as Socket;
  }
}

let server: EventEmitter & { listening: boolean };
let connections: TlsConnections;
let known: KnownAddresses;
let port: number;
beforeEach(() => {
  vi.useFakeTimers();
  port = 0;
  known = new KnownAddresses();
  server = Object.assign(new EventEmitter(), { listening: true });
  server.on('connection', (client: Client) => {
    client.hasBegun = true;
  });
  connections = limitHandshakes(server as unknown as Server, known);
});
afterEach(() => {
  vi.useRealTimers();
});

function connect(address: string): Client {
  port += 1;
  const client = new Client(address, port);
  server.emit('connection', client);
  return client;
}

/** Opens connections from several addresses, none of them at its limit. */
function fill(count: number, addresses = 10): Client[] {
  return Array.from({ length: count }, (_, index) => connect(`10.1.0.${index % addresses}`));
}

function begin(client: Client): EventEmitter {
  const response = new EventEmitter();
  server.emit('request', { socket: client.socket }, response);
  return response;
}

it('never refuses a new connection, and closes the longest idle one of strangers for it', () => {
  const first = fill(256, 16);
  begin(first[0]!).emit('close');
  const last = connect('10.2.0.1');
  expect(first.filter(({ isClosed }) => isClosed)).toEqual([first[1]]);
  expect(last.isClosed).toBe(false);
});

it('closes connections of the address with the most, so that a single connection survives any flood', () => {
  const phone = connect('10.2.0.1');
  fill(2000);
  expect(phone.isClosed).toBe(false);
});

it('closes authenticated connections last, and idle ones of them first', () => {
  const own = fill(255);
  for (const { socket } of own) connections.letIn(socket);
  const stranger = connect('10.2.0.1');
  connect('10.2.0.2');
  expect([stranger.isClosed, own.some(({ isClosed }) => isClosed)]).toEqual([true, false]);
  const others = fill(1, 1);
  for (const { socket } of others) connections.letIn(socket);
  for (const each of [...own.slice(0, 5), ...own.slice(6), ...others]) begin(each);
  connections.letIn(connect('10.2.0.3').socket);
  connect('10.2.0.4');
  expect(own.filter(({ isClosed }) => isClosed)).toEqual([own[5]]);
});

it('bounds the connections of one address', () => {
  const clients = Array.from({ length: 60 }, () => connect('10.2.0.1'));
  expect(clients.filter(({ isClosed }) => !isClosed)).toEqual(clients.slice(12));
});

it('lets addresses take turns with their handshakes', () => {
  for (let address = 0; address < 5; address += 1) for (let n = 0; n < 45; n += 1) connect(`10.1.0.${address}`);
  const phone = connect('10.2.0.1');
  expect(phone.hasBegun).toBe(false);
  vi.advanceTimersByTime(500);
  expect([phone.hasBegun, phone.isClosed]).toEqual([true, false]);
});

it('closes connections that wait too long, and begins no handshake once the server has closed', () => {
  const clients = Array.from({ length: 47 }, () => connect('10.2.0.1'));
  expect(clients.filter(({ hasBegun }) => hasBegun)).toHaveLength(40);
  server.listening = false;
  vi.advanceTimersByTime(HANDSHAKE_TIMEOUT_MS);
  expect(clients.filter(({ isClosed }) => isClosed)).toEqual(clients.slice(40));
});

it('serves a known phone during a flood from more addresses than the limit of connections', () => {
  connections.letIn(connect('10.2.0.1').socket);
  fill(2000, 500);
  const phone = connect('10.2.0.1');
  fill(2000, 500);
  vi.advanceTimersByTime(25);
  fill(2000, 500);
  expect([phone.hasBegun, phone.isClosed]).toEqual([true, false]);
});

it('serves it also during a flood from its own /64', () => {
  known.add('fd00::7');
  for (let index = 0; index < 300; index += 1) connect(`fd00::1:${index}`);
  const phone = connect('fd00::7');
  for (let index = 0; index < 300; index += 1) connect(`fd00::2:${index}`);
  vi.advanceTimersByTime(25);
  expect([phone.hasBegun, phone.isClosed]).toEqual([true, false]);
});

it('gives known addresses no more turns than strangers', () => {
  for (let index = 0; index < 200; index += 1) known.add(`10.3.0.${index}`);
  const clients = Array.from({ length: 200 }, (_, index) => connect(`10.3.0.${index}`));
  expect(clients.filter(({ hasBegun }) => hasBegun)).toHaveLength(120);
});
