import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { expect, it } from 'vitest';
import { capConnections } from './connections.ts';

class Client extends EventEmitter {
  isClosed = false;
  readonly remoteAddress: string;

  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }

  destroy(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    queueMicrotask(() => this.emit('close'));
  }
}

function listener(most: number) {
  const server = new EventEmitter();
  capConnections(server as unknown as Server, most);
  const connect = (address: string): Client => {
    const client = new Client(address);
    server.emit('connection', client);
    return client;
  };
  return { server, connect };
}

it('closes the connection without progress for longest, from the address with the most', async () => {
  const { server, connect } = listener(4);
  const device = connect('10.0.0.1');
  const [first, second, third] = [connect('10.0.0.2'), connect('10.0.0.2'), connect('10.0.0.2')];
  const response = new EventEmitter();
  server.emit('request', { socket: first }, response);
  connect('10.0.0.2');
  expect([first, second, third].map(({ isClosed }) => isClosed)).toEqual([false, true, false]);
  await Promise.resolve();
  for (let count = 0; count < 100; count += 1) connect('10.0.0.2');
  expect(device.isClosed).toBe(false);
});

it('keeps no more than its cap, also if many connect at once', async () => {
  const { connect } = listener(4);
  const clients = Array.from({ length: 50 }, (_, index) => connect(`10.0.1.${index}`));
  expect(clients.filter(({ isClosed }) => !isClosed)).toEqual(clients.slice(46));
  await Promise.resolve();
  for (const client of clients) client.destroy();
  await Promise.resolve();
  const again = Array.from({ length: 4 }, (_, index) => connect(`10.0.1.${index}`));
  expect(again.some(({ isClosed }) => isClosed)).toBe(false);
});
