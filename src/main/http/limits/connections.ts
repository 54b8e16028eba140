import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { clientKey } from '../../common/client-key.ts';

/**
 * Caps the open connections of a listener. At the cap, a new connection replaces another one, so that idle sockets keep
 * nobody out: the one without progress for longest, from the address with the most connections.
 */
export function capConnections(server: Server, maxConnections: number): void {
  /** By address, in order of their last progress: a connection, or the start or end of a request. */
  const byAddress = new Map<string, Set<Socket>>();
  let count = 0;

  function touch(socket: Socket): void {
    const sockets = byAddress.get(keyOf(socket));
    if (sockets?.delete(socket)) sockets.add(socket);
  }

  function drop(key: string, socket: Socket): void {
    const sockets = byAddress.get(key);
    if (sockets?.delete(socket) !== true) return;
    count -= 1;
    if (sockets.size === 0) byAddress.delete(key);
  }

  function closeOne(): void {
    let [most, sockets]: [string, ReadonlySet<Socket>] = ['', new Set()];
    for (const [key, each] of byAddress) if (each.size > sockets.size) [most, sockets] = [key, each];
    const [stalest] = sockets;
    if (stalest === undefined) return;
    drop(most, stalest);
    stalest.destroy();
  }

  server.on('connection', (socket: Socket) => {
    const key = keyOf(socket);
    if (count >= maxConnections) closeOne();
    byAddress.set(key, (byAddress.get(key) ?? new Set()).add(socket));
    count += 1;
    socket.once('close', () => drop(key, socket));
  });
  server.on('request', (request, response) => {
    touch(request.socket);
    response.once('finish', () => touch(request.socket));
  });
}

function keyOf(socket: Socket): string {
  return clientKey(socket.remoteAddress ?? '');
}
