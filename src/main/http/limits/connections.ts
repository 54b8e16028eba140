import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Caps the open connections of a listener. At the cap the connection that made no progress for longest is closed in
 * favour of the new one, so that idle sockets, however many, keep nobody out.
 */
export function capConnections(server: Server, maxConnections: number): void {
  // In the order of their last progress: connecting, or a request's start or end.
  const sockets = new Set<Socket>();

  function touch(socket: Socket): void {
    if (sockets.delete(socket)) sockets.add(socket);
  }

  server.on('connection', (socket: Socket) => {
    if (sockets.size >= maxConnections) {
      const [stalest] = sockets;
      stalest?.destroy();
    }
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', (request, response) => {
    touch(request.socket);
    response.once('finish', () => touch(request.socket));
  });
}
